package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.store.EventStore.Committed;
import dev.artel.kernel.store.EventStore.EventPage;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StreamsTest {
    @TempDir private Path folder;

    /// Trap: events of a megabyte each are read by the hundred.
    @Test
    void aPageOfAStream_endsByItsBytes_andHasOneAppendAtLeast() {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            var large = JsonValue.of("x".repeat(10_000));
            store.append(List.of(PLAIN.submitWith("a", large)));
            store.append(List.of(PLAIN.step("a", 2), PLAIN.step("a", 3)));
            var all = store.read(PLAIN.submit("a").stream(), 0);

            for (var each : List.of(store, store.reserved())) {
                assertThat(each.page(PLAIN.submit("a").stream(), 0, 100, 1_000))
                        .isEqualTo(new EventPage(all.subList(0, 1), false));
                assertThat(each.page(PLAIN.submit("a").stream(), 2, 100, 1_000))
                        .isEqualTo(new EventPage(all.subList(1, 3), true));
                assertThat(each.page(PLAIN.submit("a").stream(), 0, 100, 1_000_000))
                        .isEqualTo(new EventPage(all, true));
            }
        }
    }

    /// Trap: a reader of the events of all jobs has hundreds of megabytes decoded at once.
    @Test
    void theEventsOfAllJobs_areReadUpToTheirBytes_andHaveOneAppendAtLeast() {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            var large = JsonValue.of("x".repeat(10_000));
            store.append(List.of(PLAIN.submitWith("a", large)));
            store.append(List.of(PLAIN.step("a", 2), PLAIN.step("a", 3)));
            var all = store.committedAfter(0, 100);

            for (var each : List.of(store, store.reserved())) {
                var given = new ArrayList<Committed>();
                assertThat(each.readCommitted(0, 100, 1_000, given::add)).isFalse();
                assertThat(given).isEqualTo(all.subList(0, 1));
                given.clear();
                assertThat(each.readCommitted(all.getFirst().last(), 100, 1_000, given::add))
                        .isTrue();
                assertThat(given).isEqualTo(all.subList(1, 3));
                given.clear();
                assertThat(each.readCommitted(0, 100, 1_000_000, given::add)).isTrue();
                assertThat(given).isEqualTo(all);
            }
        }
    }

    /// Trap: lists of empty objects are short where they are kept, and take thirty-five times as much in memory.
    @Test
    void appendsOfManySmallValues_countForMoreThanTheirBytes() {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            var small = new JsonArray(Collections.nCopies(3_000, JsonObject.EMPTY));
            store.append(List.of(PLAIN.submitWith("a", small)));
            store.append(List.of(PLAIN.step("a", 2)));
            store.append(List.of(PLAIN.submitWith("b", small)));

            assertThat(store.page(PLAIN.submit("a").stream(), 0, 100, 20_000).appends()).hasSize(1);
            assertThat(store.openTails(0, 10, 20_000).jobs()).hasSize(1);
            assertThat(store.openTails(0, 10, 200_000).jobs()).hasSize(2);
            var committed = new ArrayList<Committed>();
            assertThat(store.readCommitted(0, 100, 20_000, committed::add)).isFalse();
            assertThat(committed).hasSize(1);
        }
    }

    /// Trap: each page of a long job looks at all of its events again.
    @Test
    void aPageOfAStream_isFoundByItsVersion_howeverManyEventsAreBeforeIt() throws Exception {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            store.append(List.of(PLAIN.submit("a")));
        }

        assertThat(plan(Streams.STREAM))
                .noneMatch(line -> line.contains("CORRELATED"))
                .anyMatch(line ->
                        line.startsWith("SEARCH a") && line.contains("(job_key=? AND version>?)"));
        assertThat(plan(Streams.POSITION))
                .noneMatch(line -> line.contains("CORRELATED") || line.contains("B-TREE"))
                .anyMatch(line ->
                        line.startsWith("SEARCH a") && line.contains("(job_key=? AND version<?)"));
    }

    private List<String> plan(String query) throws SQLException {
        var plan = new ArrayList<String>();
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("artel.db"));
                var statement = connection.createStatement();
                var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + query)) {
            while (rows.next()) {
                plan.add(rows.getString("detail"));
            }
        }
        return plan;
    }
}
