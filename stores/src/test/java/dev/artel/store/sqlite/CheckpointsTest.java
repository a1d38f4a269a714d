package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.testkit.store.SampleAppends.SUBMITTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.json.JsonValue;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.task.Payload;
import dev.artel.store.codec.JsonEventCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CheckpointsTest {
    private static final int COMMITS = 600;
    private static final JsonValue MEGABYTE = JsonValue.of("x".repeat(1_000_000));

    @TempDir private Path folder;

    @Test
    void besideABusyWriter_theLogBeginsAnew_andIsCutOffWhenNobodyWrites() {
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), new JsonEventCodec())) {
            var longest = 0L;
            for (var commit = 0; commit < COMMITS; commit++) {
                store.append(List.of(large("job-" + commit)));
                longest = Math.max(longest, store.backlog().bytes());
            }
            assertThat(longest).isBetween(32L << 20, 400L << 20);
            await().atMost(Duration.ofSeconds(30)).until(() -> store.backlog().bytes() <= 64 << 20);
        }
    }

    private static Append large(String job) {
        var first = PLAIN.submit(job);
        return new Append(
                first.stream(),
                0,
                List.of(
                        first.events().getFirst(),
                        new TaskSucceeded(
                                0,
                                new LeaseToken("t"),
                                "success",
                                Payload.of(MEGABYTE),
                                SUBMITTED)),
                first.row());
    }
}
