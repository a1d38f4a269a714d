package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.Expiry;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Removes closed jobs, a few in each transaction, so that the writer never waits for long.
final class JobRemoval {
    /// How many jobs go in one transaction.
    static final int JOBS = 50;

    /// How many pages are given back in one transaction.
    private static final int PAGES = 250;

    /// How many jobs are looked at in one transaction: children of open jobs stay.
    private static final int LOOKED_AT = 500;

    private final Writer writer;

    /// Behind which closed job to look on: they go by blueprint, and then by age.
    ///
    /// @param updated in milliseconds since 1970
    record Place(String blueprint, long updated, long key) {
        /// Before all; no blueprint has no name.
        static final Place START = in("");

        private static Place in(String blueprint) {
            return new Place(blueprint, Long.MIN_VALUE, Long.MIN_VALUE);
        }
    }

    /// What one transaction did.
    ///
    /// @param next where to go on; empty: all have been looked at
    record Step(int removed, Optional<Place> next) {}

    private record Expired(List<Closed> closed, Optional<Place> next) {}

    private record Closed(long key, String id, String status) {}

    /// A job, and what is to become of it.
    private record Found(Closed job, EventStore.Removal removal) {}

    JobRemoval(Writer writer) {
        this.writer = writer;
    }

    /// Looks at some closed jobs behind `from` and removes those that are no longer kept, at most `limit`.
    Step removeSome(Expiry expiry, Place from, int limit) throws SQLException {
        var connection = writer.connection();
        try {
            var found = find(connection, expiry, from, limit);
            if (!found.closed.isEmpty()) {
                remove(connection, found.closed);
            }
            connection.commit();
            found.closed.forEach(job -> writer.forget(job.id));
            return new Step(found.closed.size(), found.next);
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

    /// Gives pages of the file back to the system and returns whether there are more.
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

    private static Expired find(Connection connection, Expiry expiry, Place from, int limit)
            throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "SELECT job_key, id, status, updated, EXISTS"
                                + " (SELECT 1 FROM job p WHERE p.id = j.parent AND p.closed = 0)"
                                + " FROM job j INDEXED BY job_closed_by_blueprint"
                                + " WHERE closed = 1 AND blueprint = ? AND updated < ?"
                                + " AND (updated, job_key) > (?, ?)"
                                + " ORDER BY updated, job_key LIMIT ?")) {
            statement.setString(1, from.blueprint);
            statement.setLong(2, expiry.of(from.blueprint).toEpochMilli());
            statement.setLong(3, from.updated);
            statement.setLong(4, from.key);
            statement.setInt(5, LOOKED_AT);
            var closed = new ArrayList<Closed>();
            var last = from;
            var looked = 0;
            try (var rows = statement.executeQuery()) {
                while (closed.size() < limit && rows.next()) {
                    looked++;
                    last = new Place(from.blueprint, rows.getLong(4), rows.getLong(1));
                    if (rows.getInt(5) == 0) {
                        closed.add(
                                new Closed(rows.getLong(1), rows.getString(2), rows.getString(3)));
                    }
                }
            }
            var isMore = closed.size() == limit || looked == LOOKED_AT;
            return new Expired(
                    closed, isMore ? Optional.of(last) : behind(connection, from.blueprint));
        }
    }

    /// The first closed job of the next blueprint.
    private static Optional<Place> behind(Connection connection, String blueprint)
            throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "SELECT blueprint FROM job INDEXED BY job_closed_by_blueprint"
                                + " WHERE closed = 1 AND blueprint > ? ORDER BY blueprint LIMIT 1")) {
            statement.setString(1, blueprint);
            try (var row = statement.executeQuery()) {
                return row.next() ? Optional.of(Place.in(row.getString(1))) : Optional.empty();
            }
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
