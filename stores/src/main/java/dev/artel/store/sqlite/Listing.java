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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The statement for a query: walks an index that is in the order of jobs, so that a page costs what it holds.
final class Listing {
    private static final String FIND = "SELECT " + JobRows.COLUMNS + " FROM job j WHERE j.id = ?";

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
        try (var statement = connection.prepareStatement(sql())) {
            var index = 1;
            for (var part = 0; part < parts().size(); part++) {
                for (var value : values) {
                    statement.setObject(index++, value);
                }
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

    static Optional<JobRow> find(Reader reader, JobId id) throws SQLException {
        var statement = reader.prepared(FIND);
        statement.setString(1, id.value());
        try (var found = statement.executeQuery()) {
            return found.next() ? Optional.of(JobRows.read(found)) : Optional.empty();
        }
    }

    static List<StatusCount> countByStatus(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var found =
                        statement.executeQuery(
                                "SELECT status, sum(jobs) FROM (SELECT status, jobs FROM"
                                        + " status_count UNION ALL SELECT status, count(*) FROM job"
                                        + " INDEXED BY job_open WHERE closed = 0 GROUP BY status)"
                                        + " GROUP BY status HAVING sum(jobs) > 0 ORDER BY status")) {
            var counts = new ArrayList<StatusCount>();
            while (found.next()) {
                counts.add(new StatusCount(found.getString(1), found.getLong(2)));
            }
            return counts;
        }
    }

    /// Open jobs with a status are in no index, which would be written at each step of a job; they are few enough to
    /// be looked at one by one. SQLite merges the parts, each in the order of jobs, without sorting.
    private List<String> parts() {
        if (isByLabel) {
            return List.of(" FROM label l CROSS JOIN job j ON j.job_key = l.job_key" + where(""));
        }
        return query.status().isPresent()
                ? List.of(
                        " FROM job j INDEXED BY job_closed_by_status" + where("j.closed = 1"),
                        " FROM job j INDEXED BY job_open" + where("j.closed = 0"))
                : List.of(" FROM job j" + where(""));
    }

    private String sql() {
        return parts().stream()
                        .map(part ->
                                "SELECT " + JobRows.COLUMNS + ", " + key + " AS job_order" + part)
                        .collect(Collectors.joining(" UNION ALL "))
                + " ORDER BY job_order DESC LIMIT ? OFFSET ?";
    }

    private String where(String first) {
        var all =
                Stream.concat(
                                Stream.of(first).filter(condition -> !condition.isEmpty()),
                                conditions.stream())
                        .collect(Collectors.joining(" AND "));
        return all.isEmpty() ? "" : " WHERE " + all;
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
