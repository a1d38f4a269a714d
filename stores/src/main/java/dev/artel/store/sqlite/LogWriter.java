package dev.artel.store.sqlite;

import dev.artel.kernel.store.JobLogs;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;

/// Writes lines of logs in the transaction at hand; the caller commits.
final class LogWriter {
    private static final String NEXT =
            "SELECT number + lines FROM log"
                    + " WHERE job_key = ? AND task = ? AND attempt = ?"
                    + " ORDER BY number DESC LIMIT 1";
    private static final String INSERT =
            "INSERT INTO log (job_key, task, attempt, number, lines, text)"
                    + " VALUES (?, ?, ?, ?, ?, ?)";

    /// Removes what is older than the newest lines.
    private static final String TRIM =
            "DELETE FROM log WHERE job_key = ? AND task = ? AND attempt = ?"
                    + " AND number + lines <= ?";

    private final Connection connection;

    /// Lines that came together.
    ///
    /// @param sender the worker that sent them; empty: none did
    record Entry(String sender, JobLogs.Attempt attempt, List<JobLogs.Line> lines) {}

    LogWriter(Connection connection) {
        this.connection = connection;
    }

    void write(List<Entry> entries) throws SQLException {
        var together = new LinkedHashMap<JobLogs.Attempt, List<JobLogs.Line>>();
        for (var entry : entries) {
            together.computeIfAbsent(entry.attempt(), _ -> new ArrayList<>()).addAll(entry.lines());
        }
        for (var attempt : together.entrySet()) {
            var key = keyOf(attempt.getKey().job().value());
            if (key.isPresent()) {
                write(key.getAsLong(), attempt.getKey(), attempt.getValue());
            }
        }
    }

    private OptionalLong keyOf(String job) throws SQLException {
        try (var statement = connection.prepareStatement("SELECT job_key FROM job WHERE id = ?")) {
            statement.setString(1, job);
            try (var found = statement.executeQuery()) {
                return found.next() ? OptionalLong.of(found.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    private void write(long key, JobLogs.Attempt attempt, List<JobLogs.Line> lines)
            throws SQLException {
        var first = next(key, attempt);
        var end = first + lines.size();
        var newest = lines.subList(Math.max(0, lines.size() - JobLogs.MAX_LINES), lines.size());
        try (var insert = connection.prepareStatement(INSERT)) {
            of(insert, key, attempt);
            insert.setLong(4, end - newest.size());
            insert.setInt(5, newest.size());
            insert.setString(6, LogLines.text(newest));
            insert.executeUpdate();
        }
        try (var trim = connection.prepareStatement(TRIM)) {
            of(trim, key, attempt);
            trim.setLong(4, end - JobLogs.MAX_LINES);
            trim.executeUpdate();
        }
    }

    private long next(long key, JobLogs.Attempt attempt) throws SQLException {
        try (var statement = connection.prepareStatement(NEXT)) {
            of(statement, key, attempt);
            try (var found = statement.executeQuery()) {
                return found.next() ? found.getLong(1) : 1;
            }
        }
    }

    private static void of(PreparedStatement statement, long key, JobLogs.Attempt attempt)
            throws SQLException {
        statement.setLong(1, key);
        statement.setInt(2, attempt.task());
        statement.setInt(3, attempt.attempt());
    }
}
