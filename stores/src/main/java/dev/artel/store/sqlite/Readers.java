package dev.artel.store.sqlite;

import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.sql.Connection;
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
    private final List<Connection> all = new ArrayList<>();
    private final BlockingQueue<Connection> free = new ArrayBlockingQueue<>(CONNECTIONS);

    Readers(Database database) throws SQLException {
        this.database = database;
        for (var i = 0; i < CONNECTIONS; i++) {
            var connection = database.openReader();
            all.add(connection);
            free.add(connection);
        }
    }

    /// @param attempted for messages, as in "listing jobs"
    <T> T read(String attempted, Reading<T> reading) {
        var connection = take(attempted);
        try {
            return reading.read(connection);
        } catch (SQLException e) {
            throw Failures.of(attempted + " in store " + database.file(), e);
        } finally {
            free.add(connection);
        }
    }

    @Override
    public void close() throws SQLException {
        for (var connection : all) {
            connection.close();
        }
    }

    private Connection take(String attempted) {
        try {
            var connection = free.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (connection == null) {
                throw new StoreUnavailable(
                        attempted
                                + " in store "
                                + database.file()
                                + ": found no free connection in "
                                + PATIENCE
                                + "; try again with less load",
                        null);
            }
            return connection;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreUnavailable(
                    attempted + " in store " + database.file() + ": interrupted; try again", e);
        }
    }

    interface Reading<T> {
        T read(Connection connection) throws SQLException;
    }
}
