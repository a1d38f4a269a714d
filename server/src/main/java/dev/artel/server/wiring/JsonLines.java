package dev.artel.server.wiring;

import dev.artel.config.LogRetention;
import dev.artel.files.PrivateFiles;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A file to which JSON objects are added, one a line. A caller never waits: what comes faster than the disk takes it
/// is dropped and counted.
///
/// At a size, and once its first line is a day old, the file is put aside under the time of that moment. Files that were
/// put aside are removed when their last line is as old as lines are kept, and the oldest ones before that where all
/// together are too large, which the log reports.
final class JsonLines implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JsonLines.class);
    private static final int WAITING = 20_000;
    private static final long WAITING_BYTES = 16L << 20;
    private static final long LARGEST = 64L << 20;

    /// Of the room that there is one file takes at most this part.
    private static final int PARTS = 4;

    private static final Duration OF_A_FILE = Duration.ofDays(1);
    private static final Duration LOOK = Duration.ofHours(1);
    private static final Duration END = Duration.ofSeconds(5);
    private static final DateTimeFormatter ASIDE =
            DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmssSSS'Z'").withZone(ZoneOffset.UTC);

    /// As earlier versions called those that they put aside.
    private static final Pattern NUMBERED = Pattern.compile("[1-9]");

    private final Path file;
    private final LogRetention retention;
    private final InstantSource clock;
    private final LineQueue queue = new LineQueue(WAITING, WAITING_BYTES);
    private final AtomicLong dropped = new AtomicLong();
    private final Thread thread;

    /// When the first line of the file was written; meaningless while the file is not there.
    private Instant begun = Instant.EPOCH;

    private Instant nextLook = Instant.EPOCH;
    private volatile boolean closed;

    private JsonLines(Path file, LogRetention retention, InstantSource clock) {
        this.file = file;
        this.retention = retention;
        this.clock = clock;
        this.thread = Thread.ofPlatform().daemon().name("artel-lines").unstarted(this::run);
    }

    /// Adds to `file`, whose folder is made if it is missing.
    ///
    /// @throws StartupException if the file cannot be written
    static JsonLines open(Path file, LogRetention retention, InstantSource clock) {
        var lines = new JsonLines(file.toAbsolutePath(), retention, clock);
        try {
            Files.createDirectories(lines.file.getParent());
            lines.begun = lines.firstLine();
            lines.open().close();
            lines.tidy();
        } catch (IOException e) {
            throw new StartupException(
                    "cannot write the log "
                            + lines.file
                            + " ("
                            + e
                            + "); choose another place or check its permissions",
                    e);
        }
        lines.thread.start();
        return lines;
    }

    void add(JsonObject line) {
        if (!queue.offer(JsonText.write(line)) && dropped.getAndIncrement() == 0) {
            LOG.atWarn().addKeyValue("file", file).log("the disk is too slow; lines are dropped");
        }
    }

    private OutputStream open() throws IOException {
        PrivateFiles.makeFile(file);
        return new BufferedOutputStream(
                Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND),
                64 << 10);
    }

    private void run() {
        while (!closed || !queue.isEmpty()) {
            try {
                var first = queue.poll(200);
                if (first != null) {
                    write(first);
                }
                if (!clock.instant().isBefore(nextLook)) {
                    tidy();
                }
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
                return;
            } catch (IOException failed) {
                LOG.atError()
                        .addKeyValue("file", file)
                        .setCause(failed)
                        .log("lines could not be written and are lost");
            }
        }
    }

    /// Writes `first` and all that waits.
    private void write(byte[] first) throws IOException {
        if (size() > Math.min(LARGEST, retention.bytes() / PARTS)) {
            tidy();
        }
        if (size() == 0) {
            begun = clock.instant();
        }
        try (var out = open()) {
            for (var line = first; line != null; line = queue.poll()) {
                out.write(line);
                out.write('\n');
            }
        }
        var lost = dropped.getAndSet(0);
        if (lost > 0) {
            LOG.atWarn().addKeyValue("file", file).addKeyValue("lines", lost).log("dropped lines");
        }
    }

    private long size() throws IOException {
        return Files.exists(file) ? Files.size(file) : 0;
    }

    /// When the first line was written; now if there is none, or it has no time.
    private Instant firstLine() throws IOException {
        if (size() == 0) {
            return clock.instant();
        }
        try (var lines = Files.lines(file)) {
            var first = lines.findFirst().orElse("");
            return JsonText.read(first) instanceof JsonObject line
                    ? line.string("at").map(Instant::parse).orElseGet(clock::instant)
                    : clock.instant();
        } catch (MalformedJson | DateTimeException | UncheckedIOException other) {
            return clock.instant();
        }
    }

    /// Puts the file aside if it is its time, and removes what is too old or too much.
    private void tidy() throws IOException {
        var now = clock.instant();
        nextLook = now.plus(LOOK);
        var size = size();
        if (size > Math.min(LARGEST, retention.bytes() / PARTS)
                || (size > 0 && !now.isBefore(begun.plus(OF_A_FILE)))) {
            putAside(now);
        }
        var oldestFirst = aside();
        var oldest = now.minus(retention.time());
        var all = size();
        for (var one : oldestFirst) {
            all += one.bytes();
        }
        for (var one : oldestFirst) {
            var isOld = one.last().isBefore(oldest);
            if (!isOld && all <= retention.bytes()) {
                return;
            }
            Files.deleteIfExists(one.file());
            all -= one.bytes();
            if (!isOld) {
                LOG.atWarn()
                        .addKeyValue("file", one.file())
                        .addKeyValue("last", one.last())
                        .addKeyValue("room", retention.bytes())
                        .log("lines were removed early because there are too many");
            }
        }
    }

    private void putAside(Instant now) throws IOException {
        var time = now;
        var name = aside(time);
        while (Files.exists(name)) {
            time = time.plusMillis(1);
            name = aside(time);
        }
        Files.move(file, name);
    }

    private Path aside(Instant at) {
        return file.resolveSibling(file.getFileName() + "." + ASIDE.format(at));
    }

    /// A file that was put aside.
    ///
    /// @param last when it was put aside, and so after its last line
    private record Aside(Path file, Instant last, long bytes) {}

    /// Those that there are, the oldest first; of earlier versions, too, which numbered them.
    private List<Aside> aside() throws IOException {
        var found = new ArrayList<Aside>();
        for (var one : besides(file)) {
            var end = one.toString().substring(file.toString().length() + 1);
            var last =
                    NUMBERED.matcher(end).matches()
                            ? Optional.of(Files.getLastModifiedTime(one).toInstant())
                            : timeOf(end);
            if (last.isPresent()) {
                found.add(new Aside(one, last.get(), Files.size(one)));
            }
        }
        found.sort(Comparator.comparing(Aside::last));
        return found;
    }

    /// The files beside `file` whose names begin with its name and a dot.
    static List<Path> besides(Path file) throws IOException {
        var begin = file.getFileName() + ".";
        try (var files = Files.list(file.getParent())) {
            return files.filter(other -> other.getFileName().toString().startsWith(begin)).toList();
        }
    }

    private static Optional<Instant> timeOf(String end) {
        try {
            return Optional.of(Instant.from(ASIDE.parse(end)));
        } catch (DateTimeException somebodyElses) {
            return Optional.empty();
        }
    }

    /// Writes what waits.
    @Override
    public void close() {
        closed = true;
        try {
            if (!thread.join(END)) {
                LOG.atWarn().addKeyValue("file", file).log("a log did not end in time");
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
