package dev.artel.store.sqlite;

import static dev.artel.testkit.store.SampleAppends.PLAIN;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.StoreWatch;
import dev.artel.kernel.store.StreamId;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What watches over the store finds the part that hangs.
final class StuckPartsTest {
    private static final StreamId STREAM = StreamId.of(new JobId("a"));
    private static final Duration LONG = Await.longest();

    @TempDir private Path folder;

    private final AtWork atWork = new AtWork();

    /// Knows the thread in which each part runs.
    private static final class AtWork implements StoreWatch {
        private final Map<String, Thread> threads = new ConcurrentHashMap<>();

        @Override
        public Pulse part(String part, Duration most) {
            return new Pulse() {
                @Override
                public void begin() {
                    threads.put(part, Thread.currentThread());
                }

                @Override
                public void rest() {
                    threads.remove(part);
                }
            };
        }

        /// Whether `part` is at `method`.
        boolean isAt(String part, String method) {
            var thread = threads.get(part);
            return thread != null
                    && Arrays.stream(thread.getStackTrace())
                            .anyMatch(frame -> frame.getMethodName().equals(method));
        }
    }

    /// Trap: what the engine reads hangs, and nobody knows where.
    @Test
    void aReaderOfTheEngineThatHangs_isFound() throws Exception {
        var codec = new SlowCodec("artel-store-own-");
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), codec);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.setWatch(atWork);
            store.append(List.of(PLAIN.submit("a")));
            codec.begin();
            Future<?> read;
            try {
                read = threads.submit(() -> store.reserved().read(STREAM, 0));

                await().until(() ->
                        atWork.isAt("artel-store-own-0", "decode")
                                || atWork.isAt("artel-store-own-1", "decode"));
            } finally {
                codec.letGo();
            }
            read.get();

            assertThat(atWork.threads).doesNotContainKeys("artel-store-own-0", "artel-store-own-1");
        }
    }

    /// Trap: one slow read of a client is taken for a store that hangs, or four that hang are not noticed.
    @Test
    void readersOfClientsAreFound_whenNoneOfThemComesFree() throws Exception {
        var codec = new SlowCodec("artel-store-read-");
        try (var store = SqliteEventStore.open(folder.resolve("artel.db"), codec);
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            store.setWatch(atWork);
            store.append(List.of(PLAIN.submit("a")));
            codec.begin();
            var reads = new ArrayList<Future<?>>();
            try {
                for (var i = 1; i <= 3; i++) {
                    reads.add(clients.submit(() -> store.read(STREAM, 0)));
                }
                await().until(() -> codec.slow() == 3);
                assertThat(atWork.threads).doesNotContainKey("artel-store-read");

                reads.add(clients.submit(() -> store.read(STREAM, 0)));
                await().until(() -> atWork.isAt("artel-store-read", "decode"));
            } finally {
                codec.letGo();
            }
            for (var read : reads) {
                read.get();
            }

            assertThat(atWork.threads).doesNotContainKey("artel-store-read");
        }
    }

    /// Trap: the write-ahead log is never emptied again, and nobody knows why.
    @Test
    void aCheckpointThatHangs_isFound() throws Exception {
        var goOn = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        try (var store =
                        SqliteEventStore.open(
                                folder.resolve("artel.db"),
                                new JsonEventCodec(),
                                new Checkpoints.LogSizes(1, 1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            store.setWatch(atWork);
            store.append(List.of(PLAIN.submit("a")));
            var writing =
                    threads.submit(() ->
                            store.write(
                                    "holding the writer",
                                    writer -> {
                                        // However soon the log has begun anew, there is more now.
                                        writer.tryRoom();
                                        held.countDown();
                                        hang(goOn);
                                        return 0;
                                    }));
            try {
                assertThat(held.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();

                await().until(() ->
                        atWork.isAt("artel-store-checkpoint", "advance")
                                && atWork.isAt("artel-store-checkpoint", "lock"));
            } finally {
                goOn.countDown();
            }
            writing.get();
            await().until(() -> !atWork.threads.containsKey("artel-store-checkpoint"));
        }
    }

    private static void hang(CountDownLatch goOn) {
        try {
            goOn.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
