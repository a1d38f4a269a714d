package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Removes closed jobs, a few in each transaction, so that the writer never waits for long.
final class JobRemoval {
    /// How many jobs go in one transaction.
    static final int JOBS = 50;

    /// How many pages are given back in one transaction.
    private static final int PAGES = 250;

    private final Writer writer;

    private record Closed(long key, String id, String status) {}

    /// A job, and what is to become of it.
    private record Found(Closed job, EventStore.Removal removal) {}

    JobRemoval(Writer writer) {
        this.writer = writer;
    }

    /// Removes at most `limit` jobs and says how many.
    int removeSome(Instant before, int limit) throws SQLException {
        var connection = writer.connection();
        try {
            var closed = find(connection, before, limit);
            if (!closed.isEmpty()) {
                remove(connection, closed);
            }
            connection.commit();
            closed.forEach(job -> writer.forget(job.id));
            return closed.size();
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }

    /// Removes a job that is wanted gone by name. The bytes of its rows are overwritten, not only given free.
    EventStore.Removal removeOne(JobId job) throws SQLException {
        var connection = writer.connection();
        try {
            var found = find(connection, job);
            if (found.isPresent() && found.get().removal == EventStore.Removal.REMOVED) {
                overwriting(connection, true);
                try {
                    remove(connection, List.of(found.get().job));
                    connection.commit();
                } finally {
                    overwriting(connection, false);
                }
                writer.forget(job.value());
            } else {
                connection.commit();
            }
            return found.map(Found::removal).orElse(EventStore.Removal.UNKNOWN);
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }

    private static void overwriting(Connection connection, boolean isOn) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("PRAGMA secure_delete = " + (isOn ? "ON" : "OFF"));
        }
    }

    private static Optional<Found> find(Connection connection, JobId job) throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "SELECT j.job_key, j.id, j.status, j.closed, EXISTS"
                                + " (SELECT 1 FROM job p WHERE p.id = j.parent AND p.closed = 0)"
                                + " FROM job j WHERE j.id = ?")) {
            statement.setString(1, job.value());
            try (var row = statement.executeQuery()) {
                if (!row.next()) {
                    return Optional.empty();
                }
                var removal =
                        row.getInt(4) == 0
                                ? EventStore.Removal.OPEN
                                : row.getInt(5) == 1
                                        ? EventStore.Removal.PARENT_OPEN
                                        : EventStore.Removal.REMOVED;
                return Optional.of(
                        new Found(
                                new Closed(row.getLong(1), row.getString(2), row.getString(3)),
                                removal));
            }
        }
    }

    /// Gives pages of the file back to the system and says whether there are more.
    boolean giveSomeSpaceBack() throws SQLException {
        var connection = writer.connection();
        try (var statement = connection.createStatement()) {
            statement.executeUpdate("PRAGMA incremental_vacuum(" + PAGES + ")");
            long free;
            try (var pages = statement.executeQuery("PRAGMA freelist_count")) {
                pages.next();
                free = pages.getLong(1);
            }
            connection.commit();
            return free > 0;
        } catch (SQLException | RuntimeException e) {
            writer.abandon(e);
            throw e;
        }
    }

    private static List<Closed> find(Connection connection, Instant before, int limit)
            throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "SELECT job_key, id, status FROM job"
                                + " WHERE closed = 1 AND updated < ?"
                                + " AND (parent IS NULL OR NOT EXISTS"
                                + " (SELECT 1 FROM job p WHERE p.id = job.parent))"
                                + " ORDER BY updated LIMIT ?")) {
            statement.setLong(1, before.toEpochMilli());
            statement.setInt(2, limit);
            var closed = new ArrayList<Closed>();
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    closed.add(
                            new Closed(found.getLong(1), found.getString(2), found.getString(3)));
                }
            }
            return closed;
        }
    }

    private void remove(Connection connection, List<Closed> closed) throws SQLException {
        try (var position = connection.prepareStatement("UPDATE next_position SET position = ?");
                var events = connection.prepareStatement("DELETE FROM append WHERE job_key = ?");
                var labels = connection.prepareStatement("DELETE FROM label WHERE job_key = ?");
                var logs = connection.prepareStatement("DELETE FROM log WHERE job_key = ?");
                var fold = connection.prepareStatement("DELETE FROM fold WHERE job_key = ?");
                var words = connection.prepareStatement("DELETE FROM job_text WHERE rowid = ?");
                var names = PayloadReferences.release(connection);
                var row = connection.prepareStatement("DELETE FROM job WHERE job_key = ?");
                var count =
                        connection.prepareStatement(
                                "UPDATE status_count SET jobs = jobs - 1 WHERE status = ?")) {
            position.setLong(1, writer.nextPosition());
            position.executeUpdate();
            for (var job : closed) {
                for (var delete : List.of(events, labels, logs, fold, words, names, row)) {
                    delete.setLong(1, job.key);
                    delete.executeUpdate();
                }
                count.setString(1, job.status);
                count.executeUpdate();
            }
        }
    }
}
