package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.streamOf;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.Append;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Another program reads the database in one transaction and does not end it.
final class OldReaderTest {
    private static final int BEFORE = 5;
    private static final int COMMITS = 60;
    private static final int ENTRIES = 40;
    private static final JsonValue MUCH = JsonValue.of("x".repeat(50_000));

    private static final Duration QUICK = Duration.ofSeconds(2);

    /// Where the disk is slow: as many times as long as the slowest commit before the reader.
    private static final int TIMES = 10;

    /// So many may take longer, since the machine may stand still for a while.
    private static final int STANDSTILLS = 3;

    @TempDir private Path folder;

    @Test
    void anOldReader_slowsNoCommit_isReported_andTheLogIsEmptiedAfterIt() throws Exception {
        var file = folder.resolve("artel.db");
        try (var store = SqliteEventStore.open(file, new JsonEventCodec())) {
            store.append(List.of(PLAIN.submit("before")));
            var bound = QUICK;
            for (var commit = 0; commit < BEFORE; commit++) {
                var slow = took(store, -1 - commit).multipliedBy(TIMES);
                bound = bound.compareTo(slow) < 0 ? slow : bound;
            }
            try (var other = DriverManager.getConnection("jdbc:sqlite:" + file);
                    var statement = other.createStatement()) {
                statement.execute("BEGIN");
                statement.executeQuery("SELECT count(*) FROM job").close();

                var slow = new ArrayList<Duration>();
                for (var commit = 0; commit < COMMITS; commit++) {
                    var took = took(store, commit);
                    if (took.compareTo(bound) > 0) {
                        slow.add(took);
                    }
                }
                assertThat(slow).as("longer than %s", bound).hasSizeLessThanOrEqualTo(STANDSTILLS);
                await().until(() -> store.backlog().heldFor().isPresent());
                assertThat(store.backlog().bytes()).isGreaterThan(100 << 20);

                statement.execute("ROLLBACK");
            }
            await().until(() -> store.backlog().bytes() < 1 << 20);
            assertThat(store.backlog().heldFor()).isEmpty();
            assertThat(store.read(streamOf("job-0-0"), 0)).hasSize(1);
        }
    }

    private static Duration took(SqliteEventStore store, int commit) {
        var begun = System.nanoTime();
        store.append(entries(commit));
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private static List<Append> entries(int commit) {
        return IntStream.range(0, ENTRIES)
                .mapToObj(entry -> PLAIN.submitWith("job-" + commit + "-" + entry, MUCH))
                .toList();
    }
}
