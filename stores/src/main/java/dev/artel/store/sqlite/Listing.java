package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore.StatusCount;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The statement for a query: walks an index that is in the order of jobs, so that a page costs what it holds.
final class Listing {
    /// So few jobs can be looked at one by one. The planner does not know how many have a status.
    private static final long FEW = 10_000;

    private final List<String> conditions = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();
    private final JobQuery query;
    private final boolean isByLabel;
    private final String key;

    Listing(JobQuery query) {
        this.query = query;
        var labels = List.copyOf(query.labels().entrySet());
        isByLabel = !labels.isEmpty();
        key = isByLabel ? "l.job_key" : "j.job_key";
        if (isByLabel) {
            and("l.name = ?", labels.getFirst().getKey());
            and("l.value = ?", labels.getFirst().getValue());
            labels.stream().skip(1).forEach(this::alsoLabelled);
        }
        query.status().ifPresent(status -> and("j.status = ?", status));
        query.blueprint().ifPresent(blueprint -> and("j.blueprint = ?", blueprint));
        query.client().ifPresent(client -> and("j.client = ?", client));
        query.before().ifPresent(id -> and(key + " < (SELECT job_key FROM job WHERE id = ?)", id));
    }

    List<JobRow> run(Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement(sql(tables(connection)))) {
            var index = 1;
            for (var value : values) {
                statement.setObject(index++, value);
            }
            statement.setInt(index++, query.limit());
            statement.setInt(index, query.offset());
            var rows = new ArrayList<JobRow>();
            try (var found = statement.executeQuery()) {
                while (found.next()) {
                    rows.add(JobRows.read(found));
                }
            }
            return rows;
        }
    }

    static Optional<JobRow> find(Connection connection, JobId id) throws SQLException {
        try (var statement =
                connection.prepareStatement(
                        "SELECT " + JobRows.COLUMNS + " FROM job j WHERE j.id = ?")) {
            statement.setString(1, id.value());
            try (var found = statement.executeQuery()) {
                return found.next() ? Optional.of(JobRows.read(found)) : Optional.empty();
            }
        }
    }

    static List<StatusCount> countByStatus(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found =
                        statement.executeQuery(
                                "SELECT status, jobs FROM status_count"
                                        + " WHERE jobs > 0 ORDER BY status")) {
            var counts = new ArrayList<StatusCount>();
            while (found.next()) {
                counts.add(new StatusCount(found.getString(1), found.getLong(2)));
            }
            return counts;
        }
    }

    private String tables(Connection connection) throws SQLException {
        if (isByLabel) {
            return "label l CROSS JOIN job j ON j.job_key = l.job_key";
        }
        return query.status().isPresent() && areFew(connection, query.status().get())
                ? "job j INDEXED BY job_by_status"
                : "job j";
    }

    private static boolean areFew(Connection connection, String status) throws SQLException {
        try (var statement =
                connection.prepareStatement("SELECT jobs FROM status_count WHERE status = ?")) {
            statement.setString(1, status);
            try (var found = statement.executeQuery()) {
                return !found.next() || found.getLong(1) <= FEW;
            }
        }
    }

    private String sql(String tables) {
        var where = conditions.isEmpty() ? "" : " WHERE " + String.join(" AND ", conditions);
        return "SELECT "
                + JobRows.COLUMNS
                + " FROM "
                + tables
                + where
                + " ORDER BY "
                + key
                + " DESC LIMIT ? OFFSET ?";
    }

    private void alsoLabelled(Map.Entry<String, String> label) {
        conditions.add(
                "EXISTS (SELECT 1 FROM label m"
                        + " WHERE m.name = ? AND m.value = ? AND m.job_key = l.job_key)");
        values.add(label.getKey());
        values.add(label.getValue());
    }

    private void and(String condition, String value) {
        conditions.add(condition);
        values.add(value);
    }
}
