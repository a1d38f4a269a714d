package dev.artel.server.history;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.store.EventCodec;
import dev.artel.server.Answer;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.store.codec.JsonEventCodec;
import dev.artel.store.sqlite.SqliteEventStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Clients read what takes long, and all else goes on.
final class SlowHistoriesTest {
    private static final int READS = 12;

    /// So many reads of a client are under way at once; those that wait are refused after ten seconds.
    private static final int AT_ONCE = 4;

    private static final int JOBS = 3;
    private static final int TASKS = 3;

    @TempDir private Path folder;

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger slow = new AtomicInteger();
    private volatile boolean isSlow;

    /// Trap: they have all that jobs need as well - connections, processors, or threads that answer.
    @Test
    void whileClientsReadHistoriesThatDoNotEnd_jobsBegin_andTasksAreHandedOutAndReported()
            throws Exception {
        try (var events = SqliteEventStore.open(folder.resolve("artel.db"), codec());
                var node =
                        ArtelNode.start(
                                TestNodes.CONFIG,
                                SampleBlueprints.all(),
                                new Storage(events, new InMemoryPayloadStore(), events.fleet()));
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            var client = TestClient.of(node);
            var worker = new TestWorker(node, "w", "noop", "echo");
            var old = client.submit("{\"blueprint\":\"echo\"}");
            report(worker);
            assertThat(ended(client, old)).isEqualTo("finished");

            isSlow = true;
            var reads = new ArrayList<Future<Answer>>();
            try {
                for (var i = 0; i < READS; i++) {
                    reads.add(clients.submit(() -> client.get("/api/v1/jobs/" + old + "/history")));
                }
                await().until(() -> slow.get() > 1);

                var jobs = new ArrayList<String>();
                for (var i = 0; i < JOBS; i++) {
                    jobs.add(client.submit("{\"blueprint\":\"chain3\"}"));
                }
                for (var i = 0; i < JOBS * TASKS; i++) {
                    assertThat(report(worker)).isIn(jobs);
                }
                assertThat(reads)
                        .filteredOn(read -> !read.isDone())
                        .hasSizeGreaterThanOrEqualTo(AT_ONCE);

                letGo();
                for (var job : jobs) {
                    assertThat(ended(client, job)).isEqualTo("finished");
                }
            } finally {
                letGo();
            }
            var statuses = new ArrayList<Integer>();
            for (var read : reads) {
                statuses.add(read.get().status());
            }
            assertThat(statuses).isSubsetOf(200, 429);
            assertThat(Collections.frequency(statuses, 200)).isGreaterThanOrEqualTo(AT_ONCE);
        }
    }

    /// Does the next task.
    ///
    /// @return whose it was
    private static String report(TestWorker worker) {
        var task = worker.next();
        assertThat(worker.report(task, JsonObject.EMPTY).status()).isLessThan(300);
        return task.string("job_id").orElseThrow();
    }

    private static String ended(TestClient client, String job) {
        return client.get("/api/v1/jobs/" + job + "?wait=60")
                .object()
                .string("status")
                .orElseThrow();
    }

    private void letGo() {
        isSlow = false;
        end.countDown();
    }

    /// Events that clients read are read when they are let go.
    private EventCodec codec() {
        var codec = new JsonEventCodec();
        return (EventCodec)
                Proxy.newProxyInstance(
                        EventCodec.class.getClassLoader(),
                        new Class<?>[] {EventCodec.class},
                        (_, method, arguments) -> {
                            if (isSlow
                                    && method.getName().equals("decode")
                                    && Thread.currentThread()
                                            .getName()
                                            .startsWith("artel-store-read-")) {
                                slow.incrementAndGet();
                                end.await();
                            }
                            try {
                                return method.invoke(codec, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        });
    }
}
