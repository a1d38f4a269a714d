package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.EventStore.StatusCount;
import dev.artel.kernel.store.JobFilter;
import dev.artel.kernel.store.JobPage;
import dev.artel.kernel.store.JobQuery;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.SearchTerms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.stream.Collectors;

/// A page of jobs. Walks one index that is in the order of jobs, or one for closed jobs and one for open ones, and
/// looks at a bounded number of jobs, so that no page takes long, whatever is asked for.
///
/// Open jobs with a status are in no index, which would be written at each step of a job; nor are their words.
final class Listing {
    /// How many jobs a page may look at, beyond those that it leaves out.
    private static final int LOOKED_AT = 2_000;

    /// How many characters of errors and labels a page may search, beyond those of one job: they are split into words while others wait for the connection.
    static final int MOST_SEARCHED = 1 << 20;

    /// So few jobs are better looked at than those of any other index.
    private static final int FEW = 2_000;

    private static final String AT =
            "SELECT " + JobRows.COLUMNS + " FROM job j WHERE j.job_key = ?";
    private static final String FIND = "SELECT " + JobRows.COLUMNS + " FROM job j WHERE j.id = ?";
    private static final String OPEN_OF_CLIENT =
            "SELECT count(*) FROM (SELECT 1 FROM job INDEXED BY job_open_by_client"
                    + " WHERE closed = 0 AND client = ?1"
                    + " AND status NOT IN ('finished', 'failed', 'cancelled') LIMIT ?2)";
    private static final String STATUS_OF_CLIENT =
            "SELECT status, count(*) FROM (SELECT status FROM job INDEXED BY job_by_client"
                    + " WHERE client = ?1 ORDER BY job_key DESC LIMIT ?2)"
                    + " GROUP BY status ORDER BY status";
    private static final String BY_LABEL = "label l CROSS JOIN job j ON j.job_key = l.job_key";
    private static final String BY_TEXT = "job_text CROSS JOIN job j ON j.job_key = job_text.rowid";

    private final Connection connection;
    private final PreparedStatement read;
    private final JobQuery query;
    private final JobFilter filter;
    private final SqlConditions places;

    /// What one walk found.
    ///
    /// @param places of jobs, in their order
    /// @param lowest the last place that it looked at; empty: it looked at all there is
    private record Found(List<Long> places, OptionalLong lowest) {}

    private Listing(Connection connection, PreparedStatement read, JobQuery query)
            throws SQLException {
        this.connection = connection;
        this.read = read;
        this.query = query;
        this.filter = query.filter();
        this.places = new JobPlaces(connection).of(query);
    }

    static JobPage page(Reader reader, JobQuery query) throws SQLException {
        return new Listing(reader.connection(), reader.prepared(AT), query).page();
    }

    private JobPage page() throws SQLException {
        var found = new ArrayList<Found>();
        for (var walk : walks()) {
            found.add(look(walk));
        }
        var lowest =
                found.stream()
                        .map(Found::lowest)
                        .filter(OptionalLong::isPresent)
                        .mapToLong(OptionalLong::getAsLong)
                        .max();
        var listed =
                found.stream()
                        .flatMap(one -> one.places().stream())
                        .filter(place -> lowest.isEmpty() || place >= lowest.getAsLong())
                        .sorted(Comparator.reverseOrder())
                        .skip(query.offset())
                        .limit(query.limit() + 1L)
                        .toList();
        var rows = new ArrayList<JobRow>();
        var weight = 0L;
        for (var place : listed.subList(0, Math.min(listed.size(), query.limit()))) {
            var row = rowAt(place);
            if (row.isPresent()) {
                rows.add(row.get());
                weight += row.get().weight();
            }
            if (weight >= JobPage.MOST_BYTES && !place.equals(listed.getLast())) {
                return new JobPage(rows, OptionalLong.of(place));
            }
        }
        return listed.size() <= query.limit()
                ? new JobPage(rows, lowest)
                : new JobPage(rows, OptionalLong.of(listed.get(query.limit() - 1)));
    }

    private Optional<JobRow> rowAt(long place) throws SQLException {
        read.setLong(1, place);
        try (var found = read.executeQuery()) {
            return found.next() ? Optional.of(JobRows.read(found)) : Optional.empty();
        }
    }

    /// One index to be walked.
    ///
    /// @param tables with the alias `j` for the jobs
    /// @param key the column that has the place
    /// @param chosen what the index is asked for
    /// @param rest what each job found must be like, besides
    private record Walk(String tables, String key, SqlConditions chosen, SqlConditions rest) {}

    private List<Walk> walks() throws SQLException {
        var words = filter.text().map(SearchTerms::of);
        if (words.isPresent()) {
            return words.get().isEmpty() ? List.of() : byText(words.get());
        }
        if (!filter.labels().isEmpty()) {
            return List.of(byLabel());
        }
        if (filter.parent().isPresent()) {
            return List.of(byParent());
        }
        if (filter.blueprint().isPresent()
                && isFew("job_by_blueprint", "blueprint", filter.blueprint().get())) {
            return List.of(byBlueprint());
        }
        if (filter.client().isPresent()
                && isFew("job_by_client", "client", filter.client().get())) {
            return List.of(byClient());
        }
        if (filter.status().isPresent()) {
            return byStatus(filter.status().get());
        }
        if (filter.blueprint().isPresent()) {
            return List.of(byBlueprint());
        }
        if (filter.client().isPresent()) {
            return List.of(byClient());
        }
        return List.of(new Walk("job j", "j.job_key", SqlConditions.NONE, rest()));
    }

    private List<Walk> byText(SequencedSet<String> words) {
        var match = words.stream().map(word -> '"' + word + '"').collect(Collectors.joining(" "));
        return List.of(
                new Walk(
                        BY_TEXT,
                        "job_text.rowid",
                        SqlConditions.NONE.and("job_text MATCH ?", match),
                        rest()),
                new Walk(
                        "job j INDEXED BY job_open",
                        "j.job_key",
                        SqlConditions.NONE.and("j.closed = 0"),
                        rest().and("(error IS NOT NULL OR labels IS NOT NULL)")));
    }

    private Walk byLabel() {
        var first = filter.labels().firstEntry();
        return new Walk(
                BY_LABEL,
                "l.job_key",
                SqlConditions.NONE
                        .and("l.name = ?", first.getKey())
                        .and("l.value = ?", first.getValue()),
                rest());
    }

    private List<Walk> byStatus(String status) {
        return List.of(
                new Walk(
                        "job j INDEXED BY job_closed_by_status",
                        "j.job_key",
                        SqlConditions.NONE.and("j.closed = 1").and("j.status = ?", status),
                        rest()),
                new Walk(
                        "job j INDEXED BY job_open",
                        "j.job_key",
                        SqlConditions.NONE.and("j.closed = 0"),
                        rest()));
    }

    private Walk byBlueprint() {
        return new Walk(
                "job j INDEXED BY job_by_blueprint",
                "j.job_key",
                SqlConditions.NONE.and("j.blueprint = ?", filter.blueprint().orElseThrow()),
                rest());
    }

    private Walk byClient() {
        return new Walk(
                "job j INDEXED BY job_by_client",
                "j.job_key",
                SqlConditions.NONE.and("j.client = ?", filter.client().orElseThrow()),
                rest());
    }

    private Walk byParent() {
        return new Walk(
                "job j INDEXED BY job_by_parent",
                "j.job_key",
                SqlConditions.NONE.and("j.parent = ?", filter.parent().orElseThrow().value()),
                rest());
    }

    /// All that the filter asks for, but for the words.
    private SqlConditions rest() {
        var rest = SqlConditions.NONE;
        if (filter.status().isPresent()) {
            rest = rest.and("status = ?", filter.status().get());
        }
        if (filter.blueprint().isPresent()) {
            rest = rest.and("blueprint = ?", filter.blueprint().get());
        }
        if (filter.client().isPresent()) {
            rest = rest.and("client = ?", filter.client().get());
        }
        if (filter.from().isPresent()) {
            rest = rest.and("submitted >= ?", filter.from().get().toEpochMilli());
        }
        if (filter.until().isPresent()) {
            rest = rest.and("submitted < ?", filter.until().get().toEpochMilli());
        }
        if (filter.parent().isPresent()) {
            rest = rest.and("parent = ?", filter.parent().get().value());
        }
        for (var label : filter.labels().entrySet()) {
            rest =
                    rest.and(
                            "EXISTS (SELECT 1 FROM label m"
                                    + " WHERE m.name = ? AND m.value = ? AND m.job_key = place)",
                            label.getKey(),
                            label.getValue());
        }
        return rest;
    }

    private Found look(Walk walk) throws SQLException {
        var most = LOOKED_AT + query.offset();
        var chosen = walk.chosen().and(places.named(walk.key()));
        var looked =
                " FROM "
                        + walk.tables()
                        + chosen.where()
                        + " ORDER BY "
                        + walk.key()
                        + " DESC LIMIT "
                        + most;
        var found = places(walk, chosen, looked);
        return found.lowest().isPresent() || found.places().size() > query.offset() + query.limit()
                ? found
                : new Found(found.places(), lowest(walk, chosen, looked, most));
    }

    /// Those that a page leaves out cost no more than their places.
    ///
    /// @return with the last one where enough was searched
    private Found places(Walk walk, SqlConditions chosen, String looked) throws SQLException {
        var words = filter.text().map(SearchTerms::of);
        var hasWords = words.isPresent();
        var sql =
                "SELECT "
                        + (hasWords ? "*" : "place")
                        + " FROM (SELECT "
                        + JobRows.COLUMNS
                        + ", "
                        + walk.key()
                        + " AS place"
                        + looked
                        + ")"
                        + walk.rest().where();
        var column = hasWords ? JobRows.NEXT_COLUMN : 1;
        var listed = new ArrayList<Long>();
        var wanted = query.offset() + query.limit() + 1;
        var searched = 0L;
        try (var statement = connection.prepareStatement(sql)) {
            walk.rest().set(statement, chosen.set(statement, 1));
            try (var found = statement.executeQuery()) {
                while (listed.size() < wanted && found.next()) {
                    var place = found.getLong(column);
                    if (words.isEmpty()) {
                        listed.add(place);
                        continue;
                    }
                    var text = SearchTerms.searched(JobRows.read(found));
                    if (SearchTerms.areIn(words.get(), text)) {
                        listed.add(place);
                    }
                    searched += text.length();
                    // What is left out is counted, and must have been looked at.
                    if (searched > MOST_SEARCHED && query.offset() == 0) {
                        return new Found(listed, OptionalLong.of(place));
                    }
                }
            }
        }
        return new Found(listed, OptionalLong.empty());
    }

    /// Where a walk that did not find enough has stopped.
    private OptionalLong lowest(Walk walk, SqlConditions chosen, String looked, int most)
            throws SQLException {
        var sql =
                "SELECT count(*), min(place) FROM (SELECT "
                        + walk.key()
                        + " AS place"
                        + looked
                        + ")";
        try (var statement = connection.prepareStatement(sql)) {
            chosen.set(statement, 1);
            try (var found = statement.executeQuery()) {
                return found.next() && found.getLong(1) >= most
                        ? OptionalLong.of(found.getLong(2))
                        : OptionalLong.empty();
            }
        }
    }

    private boolean isFew(String index, String column, String value) throws SQLException {
        var sql =
                "SELECT count(*) FROM (SELECT 1 FROM job INDEXED BY "
                        + index
                        + " WHERE "
                        + column
                        + " = ? LIMIT "
                        + FEW
                        + ")";
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, value);
            try (var found = statement.executeQuery()) {
                return found.next() && found.getLong(1) < FEW;
            }
        }
    }

    static Optional<JobRow> find(Reader reader, JobId id) throws SQLException {
        var statement = reader.prepared(FIND);
        statement.setString(1, id.value());
        try (var found = statement.executeQuery()) {
            return found.next() ? Optional.of(JobRows.read(found)) : Optional.empty();
        }
    }

    /// Of jobs that have ended and are not closed, only calls of webhooks are left.
    static long countOpen(Reader reader, String client, int most) throws SQLException {
        var statement = reader.prepared(OPEN_OF_CLIENT);
        statement.setString(1, client);
        statement.setInt(2, most);
        try (var found = statement.executeQuery()) {
            found.next();
            return found.getLong(1);
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
            return counts(found);
        }
    }

    static List<StatusCount> countByStatus(Reader reader, String client, int most)
            throws SQLException {
        var statement = reader.prepared(STATUS_OF_CLIENT);
        statement.setString(1, client);
        statement.setInt(2, most);
        try (var found = statement.executeQuery()) {
            return counts(found);
        }
    }

    private static List<StatusCount> counts(ResultSet found) throws SQLException {
        var counts = new ArrayList<StatusCount>();
        while (found.next()) {
            counts.add(new StatusCount(found.getString(1), found.getLong(2)));
        }
        return counts;
    }
}
