package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/// A few connections that read, each in a transaction of its own, while the writer writes.
final class Readers implements AutoCloseable {
    private static final int CONNECTIONS = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Database database;
    private final List<Reader> all = new ArrayList<>();
    private final BlockingQueue<Reader> free = new ArrayBlockingQueue<>(CONNECTIONS);

    Readers(Database database) throws SQLException {
        this.database = database;
        for (var i = 0; i < CONNECTIONS; i++) {
            var reader = new Reader(database.openReader());
            all.add(reader);
            free.add(reader);
        }
    }

    /// @param attempted for messages, as in "listing jobs"
    <T> T read(String attempted, Reading<T> reading) {
        var reader = take(attempted);
        try {
            return reading.read(reader);
        } catch (SQLException e) {
            throw Failures.of(attempted + " in store " + database.file(), e);
        } finally {
            free.add(reader);
        }
    }

    @Override
    public void close() throws SQLException {
        for (var reader : all) {
            reader.close();
        }
    }

    private Reader take(String attempted) {
        try {
            var reader = free.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (reader == null) {
                throw new StoreUnavailable(
                        attempted
                                + " in store "
                                + database.file()
                                + ": found no free connection in "
                                + PATIENCE
                                + "; try again with less load",
                        null);
            }
            return reader;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable(
                    attempted + " in store " + database.file() + ": interrupted; try again", e);
        }
    }

    interface Reading<T> {
        T read(Reader reader) throws SQLException;
    }
}
