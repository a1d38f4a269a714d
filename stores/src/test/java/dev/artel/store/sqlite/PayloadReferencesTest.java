package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.store.Expiry;
import dev.artel.kernel.task.Payload;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PayloadReferencesTest {
    private static final String ONE = "0123456789abcdef".repeat(4);
    private static final String OTHER = "fedcba9876543210".repeat(4);

    @TempDir private Path folder;

    @Test
    void references_areFoundWhereverTheyAre() {
        var first = "[{\"a\":{\"digest\":\"" + ONE + "\",\"bytes\":7}},";

        assertThat(in(first + "{\"digest\":\"" + OTHER + "\"}]")).containsExactly(ONE, OTHER);
        assertThat(in("{\"digest\":\"" + ONE)).isEmpty();
        assertThat(in("{\"digest\":\"short\",\"digest\":\"" + ONE.replace('0', 'G') + "\"}"))
                .isEmpty();
        assertThat(in("{\"text\":\"\\\"digest\\\":\\\"" + ONE + "\\\"\"}")).isEmpty();
        assertThat(in("")).isEmpty();
    }

    private static Iterable<String> in(String text) {
        return PayloadReferences.in(text.getBytes(StandardCharsets.UTF_8));
    }

    /// The last key of a job is given again after a restart where that job was removed: its names would stay released.
    @Test
    void aJobWithTheKeyOfARemovedOne_namesItsValues() {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("old")));
            store.append(List.of(PLAIN.endWith("old", 2, new Payload.Ref(ONE, 70_000))));
            store.removeClosed(Expiry.before(SUBMITTED.plusSeconds(10)), 10);
        }
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("new")));
            store.append(List.of(PLAIN.endWith("new", 2, new Payload.Ref(ONE, 70_000))));

            assertThat(store.unnamed(List.of(ONE), Instant.now().plusSeconds(3600))).isEmpty();
        }
    }

    /// Stores of earlier versions: the values of their jobs must not be removed as if no event named them.
    @Test
    void eventsFromBefore_nameTheirValues_afterAnUpgrade() throws Exception {
        try (var store = open()) {
            store.append(List.of(PLAIN.submit("old")));
            store.append(List.of(PLAIN.endWith("old", 2, new Payload.Ref(ONE, 70_000))));
        }
        try (var connection =
                        DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("artel.db"));
                var statement = connection.createStatement()) {
            statement.executeUpdate("DROP TABLE payload_name");
            statement.executeUpdate("DROP TABLE fold");
            statement.executeUpdate("DROP TABLE registration");
            statement.executeUpdate("DROP INDEX job_open_by_client");
            statement.executeUpdate("DROP INDEX job_closed_by_blueprint");
            statement.executeUpdate("CREATE INDEX job_closed ON job (updated) WHERE closed = 1");
            statement.executeUpdate("PRAGMA user_version = 7");
        }

        try (var store = open()) {
            assertThat(store.unnamed(List.of(OTHER, ONE), Instant.now())).containsExactly(OTHER);
        }
        var named = new ArrayList<String>();
        new SqliteMaintenance(folder.resolve("artel.db")).namedPayloads(named::add);
        assertThat(named).containsExactly(ONE);
    }

    private SqliteEventStore open() {
        return SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec());
    }
}
