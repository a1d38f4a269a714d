package dev.artel.store.sqlite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// Between the columns of table `job` and rows.
final class JobRows {
    /// In the order in which [#read] takes them.
    static final String COLUMNS =
            "j.id, j.blueprint, j.client, j.state, j.status, j.closed, j.priority, j.labels,"
                    + " j.submitted, j.updated, j.error, j.parent";

    /// The first column behind [#COLUMNS].
    static final int NEXT_COLUMN = 13;

    private JobRows() {}

    static JobRow read(ResultSet columns) throws SQLException {
        return new JobRow(
                new JobId(columns.getString(1)),
                columns.getString(2),
                columns.getString(3),
                columns.getString(4),
                columns.getString(5),
                columns.getBoolean(6),
                columns.getDouble(7),
                labels(columns.getString(8)),
                Instant.ofEpochMilli(columns.getLong(9)),
                Instant.ofEpochMilli(columns.getLong(10)),
                Optional.ofNullable(columns.getString(11)),
                Optional.ofNullable(columns.getString(12)).map(JobId::new));
    }

    /// Null for none, which most jobs have.
    static @Nullable String text(SequencedMap<String, String> labels) {
        if (labels.isEmpty()) {
            return null;
        }
        var object = JsonObject.builder();
        labels.forEach(object::put);
        return new String(JsonText.write(object.build()), UTF_8);
    }

    private static SequencedMap<String, String> labels(@Nullable String text) {
        var labels = new LinkedHashMap<String, String>();
        if (text != null && JsonText.read(text) instanceof JsonObject object) {
            object.members()
                    .forEach((name, value) -> {
                        if (value instanceof JsonString(var string)) {
                            labels.put(name, string);
                        }
                    });
        }
        return labels;
    }
}
