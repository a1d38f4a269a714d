package dev.artel.e2e.chaos;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Somebody else at the orchestrator's database, who holds a lock for a while.
final class DatabaseLock {
    private final Path database;

    DatabaseLock(Path database) {
        this.database = database;
    }

    /// Holds the lock of writers.
    ///
    /// @return whether it was to be had
    boolean write(Duration time) {
        return hold("BEGIN IMMEDIATE", time);
    }

    /// Reads and keeps what it sees, which holds up checkpoints.
    ///
    /// @return whether there was something to read
    boolean read(Duration time) {
        return hold("BEGIN; SELECT count(*) FROM sqlite_master", time);
    }

    private boolean hold(String begin, Duration time) {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + database);
                var statement = connection.createStatement()) {
            for (var sql : begin.split("; ", -1)) {
                statement.execute(sql);
            }
            LockSupport.parkNanos(time.toNanos());
            statement.execute("ROLLBACK");
            return true;
        } catch (SQLException busyOrFull) {
            return false;
        }
    }
}
