package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StreamsTest {
    @TempDir private Path folder;

    /// Trap: each page of a long job looks at all of its events again.
    @Test
    void aPageOfAStream_isFoundByItsVersion_howeverManyEventsAreBeforeIt() throws Exception {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            store.append(List.of(PLAIN.submit("a")));
        }
        var plan = new ArrayList<String>();
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("artel.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + Streams.STREAM)) {
            while (rows.next()) {
                plan.add(rows.getString("detail"));
            }
        }

        assertThat(plan)
                .noneMatch(line -> line.contains("CORRELATED"))
                .anyMatch(line ->
                        line.startsWith("SEARCH a") && line.contains("(job_key=? AND version>?)"));
    }
}
