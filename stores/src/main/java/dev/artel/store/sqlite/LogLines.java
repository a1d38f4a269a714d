package dev.artel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// Between the rows of table `log` and lines: each row has a list of `[milliseconds, level, message]`.
final class LogLines {
    private static final String OF_JOB =
            "SELECT task, attempt, number, text FROM log"
                    + " WHERE job_key = (SELECT job_key FROM job WHERE id = ?)";

    /// A row has several lines, and the number of the first.
    private static final String BEFORE = " AND (task, attempt, number) < (?, ?, ?)";

    private static final String NEWEST_FIRST = " ORDER BY task DESC, attempt DESC, number DESC";

    private LogLines() {}

    static String text(List<JobLogs.Line> lines) {
        var rows = new ArrayList<JsonValue>();
        for (var line : lines) {
            rows.add(
                    new JsonArray(
                            List.of(
                                    JsonNumber.of(line.at().toEpochMilli()),
                                    new JsonString(line.level()),
                                    new JsonString(line.message()))));
        }
        return new String(JsonText.write(new JsonArray(rows)), UTF_8);
    }

    static List<JobLogs.Entry> read(
            Connection connection,
            JobId job,
            OptionalInt task,
            Optional<JobLogs.Place> before,
            int limit)
            throws SQLException {
        var newestFirst = new ArrayList<JobLogs.Entry>();
        var sql =
                OF_JOB
                        + (task.isPresent() ? " AND task = ?" : "")
                        + (before.isPresent() ? BEFORE : "")
                        + NEWEST_FIRST;
        try (var statement = connection.prepareStatement(sql)) {
            statement.setString(1, job.value());
            var next = 2;
            if (task.isPresent()) {
                statement.setInt(next++, task.getAsInt());
            }
            if (before.isPresent()) {
                statement.setInt(next++, before.get().task());
                statement.setInt(next++, before.get().attempt());
                statement.setLong(next, before.get().number());
            }
            try (var found = statement.executeQuery()) {
                while (newestFirst.size() < limit && found.next()) {
                    var number = found.getLong(3);
                    var lines = lines(found.getString(4));
                    for (var i = lines.size() - 1; i >= 0 && newestFirst.size() < limit; i--) {
                        var entry =
                                new JobLogs.Entry(
                                        found.getInt(1), found.getInt(2), number + i, lines.get(i));
                        if (before.isEmpty() || entry.place().compareTo(before.get()) < 0) {
                            newestFirst.add(entry);
                        }
                    }
                }
            }
        }
        return newestFirst.reversed();
    }

    private static List<JobLogs.Line> lines(String text) {
        var lines = new ArrayList<JobLogs.Line>();
        if (JsonText.read(text) instanceof JsonArray rows) {
            for (var row : rows) {
                if (row instanceof JsonArray line
                        && line.get(0) instanceof JsonNumber at
                        && line.get(1) instanceof JsonString(var level)
                        && line.get(2) instanceof JsonString(var message)) {
                    lines.add(new JobLogs.Line(Instant.ofEpochMilli(at.asLong()), level, message));
                }
            }
        }
        return lines;
    }
}
