package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StreamFold;
import dev.artel.kernel.store.StreamId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SlowReadsTest {
    private static final StreamId STREAM = StreamId.of(new JobId("a"));

    @TempDir private Path folder;

    /// Trap: they have all connections, or, since a thread in SQLite keeps its carrier, all processors.
    @Test
    void readsOfClientsThatDoNotEnd_keepTheEngineFromNothing() throws Exception {
        var codec = new SlowCodec("artel-store-read-");
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), codec);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            store.append(List.of(PLAIN.submit("a")));
            codec.begin();
            var reads = new ArrayList<Future<?>>();
            try {
                for (var i = 0; i < 20; i++) {
                    reads.add(clients.submit(() -> store.read(STREAM, 0)));
                }
                await().until(() -> codec.slow() == 4);

                var own = store.reserved();
                assertThat(own.read(STREAM, 0)).hasSize(1);
                assertThat(clients.submit(() -> StreamFold.of(own, new JobId("a")).state()).get())
                        .isNotNull();
                assertThat(own.append(List.of(PLAIN.step("a", 2)))).hasSize(1);
                assertThat(own.openTails(0, 10, Long.MAX_VALUE).jobs()).hasSize(1);
                assertThat(store.fleet().list(Optional.empty(), 10)).isEmpty();
                assertThat(reads).noneMatch(Future::isDone);
            } finally {
                codec.letGo();
            }
            for (var read : reads) {
                read.get();
            }
        }
    }
}
