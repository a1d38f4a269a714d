package dev.artel.backup;

import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.StoreException;
import dev.artel.store.sqlite.ChangedPages;
import dev.artel.store.sqlite.CommittedPages;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps a copy of all that is committed in another place, never more than a pause and a transfer behind.
///
/// The copy is a *base*, the whole database at some moment, and a chain of *segments*, the pages that changed since. It is
/// consistent at the end of each segment, since a segment ends with a commit. Large values and other files of the data
/// folder are sent before the segment that may name them. Everything is kept under its digest, and what is of the database
/// is read back after it was written; the *head* is replaced last. A new base is made at each start, and when the segments since the last one
/// outweigh it; what only older ones need is removed then. One thread does it all.
public final class ContinuousBackup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ContinuousBackup.class);
    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration END = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    private static final Duration REMINDER = Duration.ofMinutes(10);

    /// The bytes of a piece of a base before it is compressed, at most.
    static final int PIECE = 4 << 20;

    private static final int PAGE_OF_LISTS = 1000;
    private static final long FULL = 16L << 20;
    private static final long LEAST_BASE = 64L << 20;
    private static final int MOST_SEGMENTS = 10_000;

    private final Path data;
    private final CommittedPages pages;
    private final Optional<NotedValues> values;
    private final BackupPlace place;
    private final Duration every;
    private final InstantSource clock;
    private final String owner = UUID.randomUUID().toString();
    private final Instant since;
    private final OtherFiles files;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    // Of the thread alone.
    private final List<String> segments = new ArrayList<>();
    private long segmentBytes;
    private String previous = "";
    private @Nullable ChangedPages unsent;
    private @Nullable DatabaseCopy base;
    private String baseDigest = "";
    private boolean isFollowing;
    private SequencedMap<String, String> sentFiles = new TreeMap<>();
    private Instant shipped;
    private boolean hasHead;
    private boolean mustCompare;
    private boolean hasFailed;
    private Instant reportedLast = Instant.MIN;
    private int failuresInARow;

    // Read by others.
    private volatile Instant until;
    private final LongAdder sent = new LongAdder();
    private final LongAdder sentBytes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private volatile boolean isTakenOver;

    private ContinuousBackup(
            Path data,
            CommittedPages pages,
            Optional<NotedValues> values,
            BackupPlace place,
            Duration every,
            InstantSource clock) {
        this.data = data;
        this.pages = pages;
        this.values = values;
        this.place = place;
        this.every = every;
        this.clock = clock;
        this.files = new OtherFiles(data, OtherFiles.ROOM_FOR_NAMES);
        this.since = clock.instant();
        this.until = since;
        this.shipped = since;
        this.thread = Thread.ofPlatform().daemon().name("artel-backup").unstarted(this::run);
    }

    /// Begins.
    ///
    /// @param data the data folder
    /// @param pages what is committed; closed with this
    /// @param values large values of that folder; empty: they are elsewhere, and not copied
    /// @param place where to; closed with this
    public static ContinuousBackup start(
            Path data,
            CommittedPages pages,
            Optional<NotedValues> values,
            BackupPlace place,
            Duration every,
            InstantSource clock) {
        var backup = new ContinuousBackup(data, pages, values, place, every, clock);
        backup.thread.start();
        return backup;
    }

    /// How long ago everything was in the copy that was committed then: what would be lost now.
    public Duration age() {
        var age = Duration.between(until, clock.instant());
        return age.isNegative() ? Duration.ZERO : age;
    }

    /// How many segments were sent.
    public long sent() {
        return sent.sum();
    }

    /// How many bytes were sent, compressed, bases among them.
    public long sentBytes() {
        return sentBytes.sum();
    }

    /// How often sending failed; it is tried again.
    public long failures() {
        return failures.sum();
    }

    /// Whether another orchestrator sends its copy to the same place, so that this one has stopped to.
    public boolean isTakenOver() {
        return isTakenOver;
    }

    private void run() {
        try (pages) {
            copy();
        }
    }

    private void copy() {
        var last = Instant.MIN;
        var next = Instant.MIN;
        var isLast = false;
        while (!isTakenOver && !isLast) {
            try {
                isLast = stop.await(LOOK.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
                return;
            }
            var now = clock.instant();
            if (now.isBefore(next) && !isLast) {
                continue;
            }
            try {
                if (!isFollowing) {
                    begin();
                    last = now;
                    well();
                } else if (!pages.follow()) {
                    isFollowing = false;
                } else if (isLast || isDue(now, last)) {
                    last = now;
                    ship();
                    if (isBaseOutweighed() && !isLast) {
                        makeBase();
                    }
                    well();
                }
            } catch (TakenOver other) {
                isTakenOver = true;
                LOG.atError()
                        .addKeyValue("place", place)
                        .addKeyValue("owner", other.owner)
                        .log(
                                "another orchestrator sends its copy to this place: this one does so"
                                        + " no more; give each a place of its own");
            } catch (StoreException | IOException | UncheckedIOException e) {
                next = now.plus(failed(e));
            } catch (RuntimeException e) {
                // A bug, or a disk that does what was not foreseen: what is in memory may be half
                // done.
                isFollowing = false;
                next = now.plus(failed(e));
            }
        }
    }

    private boolean isDue(Instant now, Instant last) {
        return pages.bytes() >= FULL || !now.isBefore(last.plus(every).minus(LOOK));
    }

    private boolean isBaseOutweighed() {
        var of = base;
        return of == null
                || segments.size() >= MOST_SEGMENTS
                || segmentBytes > Math.max(LEAST_BASE, of.bytes());
    }

    private void well() {
        failuresInARow = 0;
        if (hasFailed) {
            hasFailed = false;
            reportedLast = Instant.MIN;
            LOG.atInfo().addKeyValue("place", place).log("the backup is up to date again");
        }
    }

    private Duration failed(Exception failure) {
        failures.increment();
        hasFailed = true;
        var now = clock.instant();
        if (now.isAfter(
                reportedLast.equals(Instant.MIN) ? reportedLast : reportedLast.plus(REMINDER))) {
            reportedLast = now;
            LOG.atWarn()
                    .addKeyValue("place", place)
                    .addKeyValue("age", age())
                    .setCause(failure)
                    .log("the continuous backup failed; retrying");
        }
        var pause = LOOK.multipliedBy(1L << Math.min(10, failuresInARow++));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    /// A chain of its own, with a base of its own; the former head is replaced when that is complete.
    private void begin() throws IOException {
        segments.clear();
        segmentBytes = 0;
        previous = "";
        unsent = null;
        base = null;
        baseDigest = "";
        sentFiles = new TreeMap<>();
        values.ifPresent(NotedValues::drain);
        pages.begin();
        isFollowing = true;
        makeBase();
    }

    /// Sends what was committed since the last segment, large values and other files first, and then the head.
    private void ship() throws IOException {
        var isAll = false;
        while (!isAll) {
            var at = clock.instant();
            if (!pages.follow()) {
                isFollowing = false;
                return;
            }
            isAll = pages.bytes() < FULL;
            var batch = unsent == null ? pages.take() : unsent;
            if (batch == unsent && batch.bytes() < FULL) {
                batch.add(pages.take());
            } else if (batch == unsent) {
                isAll = false;
            }
            unsent = batch.isEmpty() ? null : batch;
            sendValues();
            var found = files.look(this::keep);
            var changed = Segment.changes(sentFiles, found);
            if (!batch.isEmpty() || !changed.isEmpty()) {
                var bytes = new Segment(previous, at, Optional.empty(), changed, batch).write();
                previous = keep(bytes);
                segments.add(previous);
                segmentBytes += bytes.length;
                unsent = null;
                sentFiles = found;
                sent.increment();
            }
            if (isAll) {
                shipped = at;
            }
            if (base != null) {
                writeHead();
            }
        }
    }

    private String keep(Path file, long length) throws IOException {
        sentBytes.add(length);
        return place.keep(file, length);
    }

    private String keep(byte[] bytes) {
        sentBytes.add(bytes.length);
        return place.keep(bytes);
    }

    private void sendValues() {
        if (values.isEmpty()) {
            return;
        }
        var put = values.get().drain();
        if (put.isEmpty() || mustCompare) {
            compareValues();
            return;
        }
        mustCompare = true; // unless all of them are sent
        put.get().forEach(this::sendValue);
        mustCompare = false;
    }

    private void sendValue(String digest) {
        if (place.objects().find(digest).isPresent()) {
            return;
        }
        var known = values.orElseThrow().find(digest);
        if (known.isPresent()) {
            place.objects()
                    .put(
                            digest,
                            known.get().bytes(),
                            () -> values.orElseThrow().open(digest).orElseThrow());
            sentBytes.add(known.get().bytes());
        }
    }

    /// Sends all large values that are not there.
    private void compareValues() {
        mustCompare = true;
        var there = new Listed(place.objects());
        var here = new Listed(values.orElseThrow());
        for (var digest = here.next(); digest != null; digest = here.next()) {
            if (!there.has(digest)) {
                sendValue(digest);
            }
        }
        mustCompare = false;
    }

    /// The whole database as it is now or a little later, while segments go on.
    private void makeBase() throws IOException {
        var began = clock.instant();
        var since = previous;
        var segmentsBefore = segments.size();
        var folder = data.resolve("unfinished");
        var copy = folder.resolve("base.db");
        removed(copy);
        Files.createDirectories(folder);
        try {
            pages.copyTo(copy);
            if (values.isPresent()) {
                compareValues();
            }
            var pieces = new ArrayList<String>();
            var last = began;
            try (var in = Files.newInputStream(copy)) {
                for (var piece = in.readNBytes(PIECE);
                        piece.length > 0;
                        piece = in.readNBytes(PIECE)) {
                    pieces.add(keep(compressed(piece)));
                    if (isDue(clock.instant(), last)) {
                        last = clock.instant();
                        ship();
                    }
                    if (!isFollowing || (stop.getCount() == 0 && base != null)) {
                        return; // lost what follows the copy, or there is no time for it
                    }
                }
            }
            // The copy may have been made of commits that no segment has yet, and what has changed
            // of other
            // files has to be in one: those before it go over the files of the base when it is
            // read.
            ship();
            if (!isFollowing) {
                return;
            }
            var made = new DatabaseCopy(Files.size(copy), pieces, since, sentFiles);
            baseDigest = place.keep(made.write());
            base = made;
            segments.subList(0, segmentsBefore).clear();
            segmentBytes = 0;
            writeHead();
            removeUnneeded(began);
            LOG.atInfo()
                    .addKeyValue("place", place)
                    .addKeyValue("bytes", made.bytes())
                    .log("making a new full copy for the backup");
        } finally {
            removed(copy);
        }
    }

    private static void removed(Path copy) throws IOException {
        for (var suffix : List.of("", "-wal", "-shm", "-journal")) {
            Files.deleteIfExists(copy.resolveSibling(copy.getFileName() + suffix));
        }
        Files.deleteIfExists(copy.getParent());
    }

    private static byte[] compressed(byte[] piece) throws IOException {
        var bytes = new ByteArrayOutputStream(piece.length / 4);
        try (var out = Segment.compressing(bytes)) {
            out.write(piece);
        }
        return bytes.toByteArray();
    }

    private void writeHead() {
        var last = segments.isEmpty() ? "" : segments.getLast();
        var head = new Head(owner, since, baseDigest, last, shipped);
        if (hasHead) {
            // One that began earlier may have replaced this head meanwhile: it will find this one,
            // and stop.
            var found = place.head();
            if (found.isEmpty() || found.get().supersedes(head)) {
                throw new TakenOver(found.map(Head::owner).orElse("no orchestrator"));
            }
        }
        place.head(head);
        hasHead = true;
        until = shipped;
    }

    /// What neither the head nor a large value that is here needs, and that was there before the last base was begun.
    private void removeUnneeded(Instant before) {
        var needed = new HashSet<String>();
        var of = base;
        if (of == null) {
            return;
        }
        needed.add(baseDigest);
        needed.addAll(of.pieces());
        needed.addAll(of.files().values());
        needed.addAll(sentFiles.values());
        needed.addAll(segments);
        var here = values.map(Listed::new);
        var there = new Listed(place.objects());
        for (var digest = there.next(); digest != null; digest = there.next()) {
            var isValue = here.isPresent() && here.get().has(digest);
            if (!isValue && !needed.contains(digest)) {
                var _ = place.objects().remove(digest, before);
            }
        }
    }

    /// Digests in their order.
    private static final class Listed {
        private final ObjectStore of;
        private List<ObjectStore.Kept> page = List.of();
        private int at;
        private String last = "";
        private @Nullable String ahead;

        Listed(ObjectStore of) {
            this.of = of;
        }

        @Nullable String next() {
            if (at == page.size()) {
                page = of.list(last, PAGE_OF_LISTS);
                at = 0;
                if (page.isEmpty()) {
                    return null;
                }
            }
            last = page.get(at++).digest();
            return last;
        }

        /// Whether `digest` is one of them; to be asked in the order of digests.
        boolean has(String digest) {
            if (ahead == null) {
                ahead = next();
            }
            while (ahead != null && ahead.compareTo(digest) < 0) {
                ahead = next();
            }
            return digest.equals(ahead);
        }
    }

    /// Another orchestrator writes the head.
    private static final class TakenOver extends RuntimeException {
        @java.io.Serial private static final long serialVersionUID = 1;

        private final String owner;

        TakenOver(String owner) {
            super("taken over by " + owner);
            this.owner = owner;
        }
    }

    /// Sends the rest, as far as that takes no longer than some seconds.
    @Override
    public void close() {
        stop.countDown();
        try {
            if (!thread.join(END)) {
                thread.interrupt();
                LOG.atWarn()
                        .addKeyValue("place", place)
                        .addKeyValue("age", age())
                        .log("the last commits are not in the backup");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pages.close();
        place.close();
    }
}
