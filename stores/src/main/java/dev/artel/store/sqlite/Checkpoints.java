package dev.artel.store.sqlite;

import dev.artel.kernel.store.Backlog;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StoreWatch.Pulse;
import dev.artel.store.files.UsableSpace;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what was committed from the write-ahead log into the database, beside the writer, on a platform thread of its
/// own, since it spends its time in native code.
///
/// It waits for no reader longer than a moment: while one reads an old state of the database, what came later stays in the log, which
/// grows, and commits go on.
final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(10);

    /// How many pages may be left to move while the writer is kept out; that takes a few milliseconds.
    private static final long FEW_PAGES = 64;

    /// How often what was committed during a checkpoint is moved by a further one, which is shorter each time.
    private static final int ROUNDS = 8;

    /// How many pages those who read, or follow, are behind beside a busy writer.
    private static final long BEHIND = 1_000;

    /// How long the writer of a log that is longer than it should be is kept out for readers that are about to end: a read
    /// takes some milliseconds, and those that begin meanwhile do not need the log. In a busy system there is always one.
    private static final Duration FOR_READERS = Duration.ofMillis(100);

    /// Before each page in the log.
    private static final int FRAME_HEADER = 24;

    private static final String NAME = "artel-store-checkpoint";

    /// How long a slow disk may take for a log of the largest size.
    private static final Duration MOST = Duration.ofMinutes(2);

    private static final long NOT_HELD = Long.MIN_VALUE;

    private final StoreFile file;
    private final Connection connection;
    private final long pageSize;
    private final Lock writing;
    private final LogSizes sizes;
    private final LogRoom room;

    /// Null: committed pages are not followed.
    private volatile @Nullable CommittedPages followed;

    private volatile Pulse pulse = Pulse.NONE;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /// How many pages there were in the log when it was looked at last.
    private long logged;

    /// How many pages there were in the log when it began anew; those who look see them until the next commit.
    private long begunAnewAt = -1;

    private boolean isRoomKept = true;

    /// The page at which the last checkpoint had to stop; -1: it came to the end.
    private long heldAt = -1;

    private volatile long heldSince = NOT_HELD;

    /// When the write-ahead log begins anew, in bytes.
    ///
    /// @param quiet while little is written
    /// @param busy beside a busy writer, too, which is kept out for some milliseconds: by itself such a log never would
    record LogSizes(long quiet, long busy) {
        static final LogSizes DEFAULTS = new LogSizes(64L << 20, 256L << 20);

        /// A file beyond this size is cut off while nothing is written.
        long leftOver() {
            return quiet + 2 * LogRoom.MOST;
        }

        /// A file of this size is cut off even if the writer waits for it.
        long file() {
            return 2 * busy;
        }

        /// From this size on the log waits for readers before it begins anew, in bytes.
        long readerWaitThreshold() {
            return busy + busy / 2;
        }
    }

    /// @param writing held by all that write
    Checkpoints(StoreFile file, Database database, Lock writing, LogSizes sizes)
            throws SQLException {
        this.file = file;
        this.connection = database.openCheckpointer();
        this.pageSize = number("PRAGMA page_size");
        this.writing = writing;
        this.sizes = sizes;
        this.room = new LogRoom(file.writeAheadLog(), connection, writing);
        this.thread = Thread.ofPlatform().name(NAME).daemon().unstarted(this::run);
    }

    /// How far a checkpoint came, in pages.
    private record Progress(boolean isBlocked, long logged, long moved) {
        long left() {
            return logged - moved;
        }
    }

    /// The log is not emptied before `pages` has read it.
    void setFollower(CommittedPages pages) {
        followed = pages;
    }

    /// Lets `watch` know what it is at.
    void setWatch(StoreWatch watch) {
        pulse = watch.part(NAME, MOST);
    }

    void start() {
        thread.start();
    }

    /// What is in the log. For any thread.
    ///
    /// @throws IOException if the file system does not answer
    Backlog backlog() throws IOException {
        var since = heldSince;
        return new Backlog(
                room.size(),
                since == NOT_HELD
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(System.nanoTime() - since)),
                UsableSpace.of(file.path()));
    }

    @Override
    public void close() throws SQLException {
        stop.countDown();
        try {
            if (!thread.join(END)) {
                LOG.atWarn().addKeyValue("store", file.path()).log("checkpoint has not ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connection.close();
    }

    private void run() {
        var pause = PAUSE;
        try {
            while (!stop.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = advance() ? PAUSE : longer(pause);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration longer(Duration pause) {
        var twice = pause.multipliedBy(2);
        return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    /// @return whether it is worth coming again soon
    private boolean advance() {
        var watched = pulse;
        watched.begin();
        try {
            var pages = followed;
            if (pages != null) {
                pages.follow();
            }
            var progress = checkpoint("PASSIVE");
            note(progress);
            var grown = progress.logged() - logged;
            var isBusy = grown > BEHIND;
            logged = progress.logged();
            if (logged != begunAnewAt) {
                begunAnewAt = -1;
                keepRoom(bytes(grown));
            }
            // Beside a busy writer those who read, or follow, are some commits behind.
            if (progress.left() > BEHIND) {
                return heldSince == NOT_HELD;
            }
            var isLong = begunAnewAt < 0 && bytes(logged) > (isBusy ? sizes.busy() : sizes.quiet());
            var isLeftOver = grown <= 0 && room.size() > sizes.leftOver();
            return (!isLong && !isLeftOver) || beginAnew(isLeftOver);
        } catch (SQLException | IOException | StoreUnavailable e) {
            // Nothing is lost: the next one does this one's work, and a full disk fails the writer,
            // which reports it.
            LOG.atWarn()
                    .addKeyValue("store", file.path())
                    .setCause(e)
                    .log("checkpoint failed; retrying");
            return false;
        } finally {
            watched.rest();
        }
    }

    /// Two checkpoints that end at the same page, before the last one, were held up by the same reader.
    private void note(Progress progress) {
        if (progress.left() <= 0) {
            heldAt = -1;
            heldSince = NOT_HELD;
        } else if (progress.moved() == heldAt) {
            if (heldSince == NOT_HELD) {
                heldSince = System.nanoTime();
            }
        } else {
            heldAt = progress.moved();
            heldSince = NOT_HELD;
        }
    }

    /// The log is emptied whether there is room ahead of it or not.
    private void keepRoom(long coming) {
        try {
            room.keep(bytes(logged), coming);
            isRoomKept = true;
        } catch (SQLException | IOException e) {
            if (isRoomKept) {
                LOG.atWarn()
                        .addKeyValue("store", file.path())
                        .setCause(e)
                        .log("the write-ahead log gets no room ahead; commits take longer");
            }
            isRoomKept = false;
        }
    }

    private long bytes(long pages) {
        return pages * (pageSize + FRAME_HEADER);
    }

    /// Lets the log begin anew. Its file stays: freeing it takes the file system a while, and commits into a file that grows take longer.
    ///
    /// @param isLeftOver whether the file is cut off even so
    /// @return whether it did
    private boolean beginAnew(boolean isLeftOver) throws SQLException, IOException {
        var last = checkpoint("PASSIVE");
        var came = Long.MAX_VALUE;
        for (var round = 0; round < ROUNDS && came > FEW_PAGES; round++) {
            var next = checkpoint("PASSIVE");
            came = next.logged() - last.logged();
            last = next;
        }
        var pages = followed;
        if (last.left() > BEHIND) {
            return true;
        }
        var timeout =
                bytes(last.logged()) < sizes.readerWaitThreshold() ? Duration.ZERO : FOR_READERS;
        var isCutOff = isLeftOver || pages != null || room.size() >= sizes.file();
        var mode = isCutOff ? "TRUNCATE" : "RESTART";
        writing.lock();
        try {
            return pages == null
                    ? empty(mode, timeout)
                    : pages.emptyWith(() -> empty(mode, timeout));
        } finally {
            writing.unlock();
        }
    }

    /// @param timeout how long it waits for those who read
    private boolean empty(String mode, Duration timeout) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + timeout.toMillis());
            try {
                var progress = checkpoint(mode);
                if (progress.isBlocked()) {
                    return false;
                }
                begunAnewAt = progress.logged();
                return true;
            } finally {
                statement.execute("PRAGMA busy_timeout = 0");
            }
        }
    }

    private long number(String query) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery(query)) {
            row.next();
            return row.getLong(1);
        }
    }

    private Progress checkpoint(String mode) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA wal_checkpoint(" + mode + ")")) {
            row.next();
            return new Progress(row.getInt(1) != 0, row.getLong(2), row.getLong(3));
        }
    }
}
