package dev.artel.store.sqlite;

import dev.artel.kernel.store.Backlog;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.io.IOException;
import java.nio.file.Files;
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
/// It waits for nobody longer than a moment: while somebody reads an old state of the database, what came later stays in the log, which
/// grows, and commits go on.
final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    private static final Duration END = Duration.ofSeconds(10);

    /// A log of this size is emptied while the writer is kept out: beside a busy writer it would never be.
    static final long LONG_LOG = 64L << 20;

    /// How many pages may be left to move while the writer is kept out; that takes some milliseconds.
    private static final long FEW_PAGES = 1_000;

    /// How long the writer is kept out at most for readers that are about to end: a read takes some milliseconds, and
    /// those that begin meanwhile do not need the log. In a busy system there is always one.
    private static final Duration FOR_READERS = Duration.ofMillis(100);

    private static final long NOT_HELD = Long.MIN_VALUE;

    private final StoreFile file;
    private final Connection connection;
    private final Lock writing;

    /// Null: nobody follows what is committed.
    private volatile @Nullable CommittedPages followed;

    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /// The page at which the last checkpoint had to stop; -1: it came to the end.
    private long heldAt = -1;

    private volatile long heldSince = NOT_HELD;

    /// @param writing held by whoever writes
    Checkpoints(StoreFile file, Database database, Lock writing) throws SQLException {
        this.file = file;
        this.connection = database.openCheckpointer();
        this.writing = writing;
        this.thread =
                Thread.ofPlatform().name("artel-store-checkpoint").daemon().unstarted(this::run);
    }

    /// How far a checkpoint came, in pages.
    private record Progress(boolean isBlocked, long logged, long moved) {
        long left() {
            return logged - moved;
        }
    }

    /// The log is not emptied before `pages` has read it.
    void followedBy(CommittedPages pages) {
        followed = pages;
    }

    void start() {
        thread.start();
    }

    /// What is in the log. For any thread.
    ///
    /// @throws IOException if the file system does not say
    Backlog backlog() throws IOException {
        var since = heldSince;
        return new Backlog(
                sizeOfLog(),
                since == NOT_HELD
                        ? Optional.empty()
                        : Optional.of(Duration.ofNanos(System.nanoTime() - since)),
                Files.getFileStore(file.path()).getUsableSpace());
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
        try {
            var pages = followed;
            if (pages != null) {
                pages.follow();
            }
            var progress = checkpoint("PASSIVE");
            note(progress);
            // Beside a busy writer those who read, or follow, are some commits behind.
            if (progress.left() > FEW_PAGES) {
                return heldSince == NOT_HELD;
            }
            return sizeOfLog() <= LONG_LOG || emptyTheLog();
        } catch (SQLException | IOException | StoreUnavailable e) {
            // Nothing is lost: the next one does this one's work, and a full disk fails the writer,
            // who tells.
            LOG.atWarn()
                    .addKeyValue("store", file.path())
                    .setCause(e)
                    .log("checkpoint failed, will be tried again");
            return false;
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

    /// Lets the log begin anew.
    ///
    /// @return whether it did
    private boolean emptyTheLog() throws SQLException, IOException {
        // Most of what was committed during the last checkpoint is moved before the writer is kept
        // out.
        if (checkpoint("PASSIVE").left() > FEW_PAGES) {
            return true;
        }
        var pages = followed;
        writing.lock();
        try {
            return pages == null ? truncate() : pages.emptyWith(this::truncate);
        } finally {
            writing.unlock();
        }
    }

    private boolean truncate() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + FOR_READERS.toMillis());
            try {
                return !checkpoint("TRUNCATE").isBlocked();
            } finally {
                statement.execute("PRAGMA busy_timeout = 0");
            }
        }
    }

    private Progress checkpoint(String mode) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("PRAGMA wal_checkpoint(" + mode + ")")) {
            row.next();
            return new Progress(row.getInt(1) != 0, row.getLong(2), row.getLong(3));
        }
    }

    private long sizeOfLog() throws IOException {
        var log = file.writeAheadLog();
        return Files.exists(log) ? Files.size(log) : 0;
    }
}
