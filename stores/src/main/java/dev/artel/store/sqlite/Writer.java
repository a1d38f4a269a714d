package dev.artel.store.sqlite;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.AppendResult.Appended;
import dev.artel.kernel.store.AppendResult.VersionConflict;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.SearchTerms;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The one connection that writes. Not safe for use by many threads.
final class Writer implements AutoCloseable {
    private static final String INSERT_APPEND =
            "INSERT INTO append (position, job_key, version, event_count, events)"
                    + " VALUES (?, ?, ?, ?, ?)";
    private static final String INSERT_JOB =
            "INSERT INTO job (job_key, id, version, blueprint, client, state, status, closed,"
                    + " priority, labels, submitted, updated, error, parent)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

    /// Names no column that stands in an index of open jobs, so that no index is touched.
    private static final String STEP_JOB =
            "UPDATE job SET version = ?, state = ?, status = ?, updated = ?, error = ?"
                    + " WHERE job_key = ?";

    private static final String UPDATE_JOB =
            "UPDATE job SET version = ?, blueprint = ?, client = ?, state = ?, status = ?,"
                    + " closed = ?, priority = ?, labels = ?, submitted = ?, updated = ?, error = ?"
                    + " WHERE job_key = ?";
    private static final String COUNT =
            "INSERT INTO status_count (status, jobs) VALUES (?, ?)"
                    + " ON CONFLICT (status) DO UPDATE SET jobs = jobs + excluded.jobs";

    /// As much as an append of common size needs.
    private static final int ROOM = 64 << 10;

    private final Connection connection;
    private final PreparedStatement insertAppend;
    private final PreparedStatement insertName;
    private final PreparedStatement insertJob;
    private final PreparedStatement stepJob;
    private final PreparedStatement updateJob;
    private final PreparedStatement insertLabel;
    private final PreparedStatement deleteLabels;
    private final PreparedStatement insertWords;
    private final PreparedStatement count;
    private final PreparedStatement findJob;

    private final RecentJobs jobs = new RecentJobs();
    private final Map<String, Integer> counts = new TreeMap<>();
    private long nextKey;
    private long nextPosition;
    private boolean usable = true;

    Writer(Connection connection) throws SQLException {
        this.connection = connection;
        nextKey = number("SELECT coalesce(max(job_key), 0) + 1 FROM job");
        nextPosition =
                number(
                        "SELECT max(position) FROM (SELECT position FROM next_position UNION ALL"
                                + " SELECT position + event_count FROM append"
                                + " WHERE position = (SELECT max(position) FROM append))");
        insertAppend = connection.prepareStatement(INSERT_APPEND);
        insertName = PayloadReferences.insert(connection);
        insertJob = connection.prepareStatement(INSERT_JOB);
        stepJob = connection.prepareStatement(STEP_JOB);
        updateJob = connection.prepareStatement(UPDATE_JOB);
        insertLabel =
                connection.prepareStatement(
                        "INSERT INTO label (name, value, job_key) VALUES (?, ?, ?)");
        deleteLabels = connection.prepareStatement("DELETE FROM label WHERE job_key = ?");
        insertWords =
                connection.prepareStatement("INSERT INTO job_text (rowid, words) VALUES (?, ?)");
        count = connection.prepareStatement(COUNT);
        findJob =
                connection.prepareStatement(
                        "SELECT "
                                + JobRows.COLUMNS
                                + ", j.job_key, j.version FROM job j WHERE j.id = ?");
        connection.setAutoCommit(false);
    }

    /// Writes all of `entries` that expect the right version, in one transaction.
    ///
    /// @throws SQLException if nothing was written, or the outcome is unknown
    List<AppendResult> append(List<Encoded> entries) throws SQLException {
        var keyBefore = nextKey;
        var positionBefore = nextPosition;
        try {
            var results = new ArrayList<AppendResult>(entries.size());
            for (var entry : entries) {
                results.add(appendOne(entry));
            }
            insertAppend.executeBatch();
            insertName.executeBatch();
            writeJobs();
            writeCounts();
            connection.commit();
            jobs.commit();
            return results;
        } catch (SQLException | RuntimeException e) {
            nextKey = keyBefore;
            nextPosition = positionBefore;
            abandon(e);
            throw e;
        }
    }

    /// Writes something and removes it again: does nothing where there is room, and fails as an append would where there
    /// is none.
    void tryRoom() throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.executeUpdate(
                    "INSERT OR REPLACE INTO label (name, value, job_key) VALUES ('', '"
                            + "x".repeat(ROOM)
                            + "', 0)");
            connection.commit();
            statement.executeUpdate("DELETE FROM label WHERE name = '' AND job_key = 0");
            connection.commit();
        } catch (SQLException e) {
            abandon(e);
            throw e;
        }
    }

    /// Does something that commits by itself.
    <T> T write(SqliteKeyValueStore.Act<T> act) throws SQLException {
        try {
            return act.on(connection);
        } catch (SQLException | RuntimeException e) {
            abandon(e);
            throw e;
        }
    }

    /// The connection, for other writing transactions; the caller commits.
    Connection connection() {
        return connection;
    }

    void limitPages(long pages) throws SQLException {
        number("PRAGMA max_page_count = " + pages);
    }

    /// Whether the last failure was compensated.
    boolean isUsable() {
        return usable;
    }

    long nextPosition() {
        return nextPosition;
    }

    /// To be called when a job was removed.
    void forget(String id) {
        jobs.forget(id);
    }

    /// Compensates the transaction at hand after `failure`.
    void abandon(Exception failure) {
        jobs.rollback();
        counts.clear();
        try {
            insertAppend.clearBatch();
            insertName.clearBatch();
            insertJob.clearBatch();
            stepJob.clearBatch();
            updateJob.clearBatch();
            insertLabel.clearBatch();
            insertWords.clearBatch();
            count.clearBatch();
            connection.rollback();
        } catch (SQLException e) {
            usable = false;
            failure.addSuppressed(e);
        }
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    private AppendResult appendOne(Encoded entry) throws SQLException {
        var append = entry.append();
        var id = append.stream().id();
        var known = known(id);
        var actual = known == null ? 0 : known.version();
        if (actual != append.expected()) {
            return new VersionConflict(actual);
        }
        var key = known == null ? nextKey++ : known.key();
        var position = nextPosition;
        var events = append.events().size();
        nextPosition += events;
        insertAppend.setLong(1, position);
        insertAppend.setLong(2, key);
        insertAppend.setLong(3, actual + 1);
        insertAppend.setInt(4, events);
        insertAppend.setBytes(5, entry.bytes());
        insertAppend.addBatch();
        for (var name : entry.names()) {
            insertName.setString(1, name);
            insertName.setLong(2, key);
            insertName.addBatch();
        }
        jobs.change(id, known, new RecentJob(key, actual + events, append.row()));
        return new Appended(position);
    }

    private @Nullable RecentJob known(String id) throws SQLException {
        var known = jobs.find(id);
        if (known != null) {
            return known;
        }
        findJob.setString(1, id);
        try (var found = findJob.executeQuery()) {
            if (!found.next()) {
                return null;
            }
            var job =
                    new RecentJob(
                            found.getLong(JobRows.NEXT_COLUMN),
                            found.getLong(JobRows.NEXT_COLUMN + 1),
                            JobRows.read(found));
            jobs.remember(id, job);
            return job;
        }
    }

    /// Each job once, however many appends it got.
    private void writeJobs() throws SQLException {
        for (var change : jobs.changes()) {
            var before = change.before();
            var after = change.after();
            if (before == null) {
                insert(after);
            } else if (isStep(before.row(), after.row())) {
                step(after);
            } else {
                update(before.row(), after);
            }
        }
        insertJob.executeBatch();
        stepJob.executeBatch();
        updateJob.executeBatch();
        insertLabel.executeBatch();
        insertWords.executeBatch();
    }

    /// Whether nothing changed by which open jobs are found.
    private static boolean isStep(JobRow before, JobRow after) {
        return !before.closed()
                && !after.closed()
                && before.blueprint().equals(after.blueprint())
                && before.client().equals(after.client())
                && before.priority() == after.priority()
                && before.submitted().equals(after.submitted())
                && before.labels().equals(after.labels());
    }

    private void insert(RecentJob job) throws SQLException {
        var row = job.row();
        insertJob.setLong(1, job.key());
        insertJob.setString(2, row.id().value());
        insertJob.setLong(3, job.version());
        insertJob.setString(4, row.blueprint());
        insertJob.setString(5, row.client());
        insertJob.setString(6, row.state());
        insertJob.setString(7, row.status());
        insertJob.setBoolean(8, row.closed());
        insertJob.setDouble(9, row.priority());
        insertJob.setString(10, JobRows.text(row.labels()));
        insertJob.setLong(11, row.submitted().toEpochMilli());
        insertJob.setLong(12, row.updated().toEpochMilli());
        insertJob.setString(13, row.error().orElse(null));
        insertJob.setString(14, row.parent().map(JobId::value).orElse(null));
        insertJob.addBatch();
        insertLabels(job);
        if (row.closed()) {
            insertWords(job);
        }
        count(row, 1);
    }

    private void step(RecentJob job) throws SQLException {
        var row = job.row();
        stepJob.setLong(1, job.version());
        stepJob.setString(2, row.state());
        stepJob.setString(3, row.status());
        stepJob.setLong(4, row.updated().toEpochMilli());
        stepJob.setString(5, row.error().orElse(null));
        stepJob.setLong(6, job.key());
        stepJob.addBatch();
    }

    private void update(JobRow before, RecentJob job) throws SQLException {
        var row = job.row();
        updateJob.setLong(1, job.version());
        updateJob.setString(2, row.blueprint());
        updateJob.setString(3, row.client());
        updateJob.setString(4, row.state());
        updateJob.setString(5, row.status());
        updateJob.setBoolean(6, row.closed());
        updateJob.setDouble(7, row.priority());
        updateJob.setString(8, JobRows.text(row.labels()));
        updateJob.setLong(9, row.submitted().toEpochMilli());
        updateJob.setLong(10, row.updated().toEpochMilli());
        updateJob.setString(11, row.error().orElse(null));
        updateJob.setLong(12, job.key());
        updateJob.addBatch();
        if (!before.labels().equals(row.labels())) {
            deleteLabels.setLong(1, job.key());
            deleteLabels.executeUpdate();
            insertLabels(job);
        }
        if (row.closed() && !before.closed()) {
            insertWords(job);
        }
        count(before, -1);
        count(row, 1);
    }

    /// Only closed jobs are counted here; the open ones are few enough to be counted on demand.
    private void count(JobRow row, int change) {
        if (row.closed()) {
            counts.merge(row.status(), change, Integer::sum);
        }
    }

    private void insertLabels(RecentJob job) throws SQLException {
        for (Map.Entry<String, String> label : job.row().labels().entrySet()) {
            insertLabel.setString(1, label.getKey());
            insertLabel.setString(2, label.getValue());
            insertLabel.setLong(3, job.key());
            insertLabel.addBatch();
        }
    }

    /// Closed jobs are searched by an index, which would cost too much while they are open.
    private void insertWords(RecentJob job) throws SQLException {
        var text = SearchTerms.searched(job.row());
        if (!text.isBlank()) {
            insertWords.setLong(1, job.key());
            insertWords.setString(2, text);
            insertWords.addBatch();
        }
    }

    private void writeCounts() throws SQLException {
        for (Map.Entry<String, Integer> change : counts.entrySet()) {
            if (change.getValue() != 0) {
                count.setString(1, change.getKey());
                count.setInt(2, change.getValue());
                count.addBatch();
            }
        }
        count.executeBatch();
        counts.clear();
    }

    private long number(String sql) throws SQLException {
        try (var statement = connection.createStatement();
                var result = statement.executeQuery(sql)) {
            result.next();
            return result.getLong(1);
        }
    }
}
