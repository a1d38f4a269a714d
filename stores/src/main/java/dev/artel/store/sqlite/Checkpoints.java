package dev.artel.store.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Moves what was committed from the write-ahead log into the database, beside the writer, on a platform thread of its
/// own, since it spends its time in native code.
final class Checkpoints implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
    private static final Duration PAUSE = Duration.ofMillis(300);
    private static final Duration END = Duration.ofSeconds(10);

    /// A log of this size is emptied while the writer waits: beside a busy writer it would never be.
    private static final long LONG_LOG = 64L << 20;

    private final StoreFile file;
    private final Connection connection;
    private final Lock writing;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;

    /// @param writing held by whoever writes
    Checkpoints(StoreFile file, Database database, Lock writing) throws SQLException {
        this.file = file;
        this.connection = database.openWriter();
        this.writing = writing;
        this.thread =
                Thread.ofPlatform().name("artel-store-checkpoint").daemon().unstarted(this::run);
    }

    void start() {
        thread.start();
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
        var logged = 0L;
        try {
            while (!stop.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                logged = checkpointIfChanged(logged);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// @return the size of the log afterwards
    private long checkpointIfChanged(long before) {
        try {
            var size = sizeOfLog();
            checkpoint("PASSIVE");
            if (size > LONG_LOG) {
                emptyTheLog();
            }
            return size;
        } catch (SQLException | IOException e) {
            // Nothing is lost: the next one does this one's work, and a full disk fails the writer,
            // who tells.
            LOG.atWarn()
                    .addKeyValue("store", file.path())
                    .setCause(e)
                    .log("checkpoint failed, will be tried again");
            return before;
        }
    }

    private void emptyTheLog() throws SQLException {
        writing.lock();
        try {
            checkpoint("TRUNCATE");
        } finally {
            writing.unlock();
        }
    }

    private void checkpoint(String mode) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA wal_checkpoint(" + mode + ")");
        }
    }

    private long sizeOfLog() throws IOException {
        var log = file.writeAheadLog();
        return Files.exists(log) ? Files.size(log) : 0;
    }
}
