package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.engine.SampleJobs;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoreException;
import dev.artel.kernel.store.StreamId;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class StoreWriterTest {
    private final AtomicBoolean isFull = new AtomicBoolean(true);

    /// Trap: the store is said to be full until somebody writes, and nobody does since it is said to be full.
    @Test
    void roomIsNoticed_thoughNobodyWrites() throws Exception {
        try (var writer = new StoreWriter(store())) {
            var told = new CompletableFuture<StoreWriter.Outcome>();
            writer.write(firstAppend(), told::complete);
            assertThat(told.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(StoreWriter.Outcome.Failed.class);
            assertThat(writer.isFull()).isTrue();

            isFull.set(false);
            await().until(() -> !writer.isFull());
        }
    }

    private static Append firstAppend() {
        var now = Instant.parse("2026-01-01T00:00:00Z");
        var job = new JobId("j");
        var before = new JobState.Unsubmitted(job);
        var accepted =
                (Decision.Accepted)
                        Jobs.decide(before, new JobCommand.Submit(SampleJobs.SPEC, now));
        var after = (Job) Jobs.evolve(before, accepted.events()).after();
        return new Append(StreamId.of(job), 0, accepted.events(), JobRow.of(after, now));
    }

    /// A store that only takes appends.
    private EventStore store() {
        return (EventStore)
                Proxy.newProxyInstance(
                        EventStore.class.getClassLoader(),
                        new Class<?>[] {EventStore.class},
                        (_, method, arguments) -> {
                            if (!method.getName().equals("append")) {
                                throw new UnsupportedOperationException(method.getName());
                            }
                            if (isFull.get()) {
                                throw new StoreException.StoreFull("appending: no room", null);
                            }
                            return ((List<?>) arguments[0])
                                    .stream().map(_ -> new AppendResult.Appended(1)).toList();
                        });
    }
}
