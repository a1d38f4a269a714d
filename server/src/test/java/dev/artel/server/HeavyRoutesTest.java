package dev.artel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.JobLogs;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What reads much of a job waits for the turn of its client.
final class HeavyRoutesTest {
    private static final int AT_ONCE = 4;

    private final AtomicInteger reading = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch goOn = new CountDownLatch(1);

    private Storage slow(Storage storage) {
        var events = storage.events();
        var logs =
                proxy(
                        JobLogs.class,
                        events.logs(),
                        () -> {
                            most.accumulateAndGet(reading.incrementAndGet(), Math::max);
                            var _ = goOn.await(60, TimeUnit.SECONDS);
                            reading.decrementAndGet();
                            return null;
                        });
        var slow =
                (EventStore)
                        Proxy.newProxyInstance(
                                EventStore.class.getClassLoader(),
                                new Class<?>[] {EventStore.class},
                                (_, method, arguments) -> {
                                    if (method.getName().equals("logs")) {
                                        return logs;
                                    }
                                    try {
                                        return method.invoke(events, arguments);
                                    } catch (InvocationTargetException thrown) {
                                        throw thrown.getCause();
                                    }
                                });
        return new Storage(
                slow, storage.payloads(), storage.objects(), storage.fleet(), storage.dataStores());
    }

    private static JobLogs proxy(
            Class<JobLogs> type, JobLogs logs, java.util.concurrent.Callable<?> first) {
        return type.cast(
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> {
                            if (method.getName().equals("read")) {
                                first.call();
                            }
                            return method.invoke(logs, arguments);
                        }));
    }

    @Test
    void logs_areReadByTurns() throws Exception {
        try (var node =
                        ArtelNode.start(
                                TestNodes.CONFIG,
                                SampleBlueprints.all(),
                                slow(TestNodes.storage()));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var client = TestClient.of(node);
            var id = client.submit("{\"blueprint\":\"echo\"}");
            var answers = new ArrayList<Future<Answer>>();
            for (var i = 0; i < 2 * AT_ONCE; i++) {
                answers.add(threads.submit(() -> client.get("/api/v1/jobs/" + id + "/logs")));
            }
            await().atMost(Duration.ofSeconds(30)).until(() -> reading.get() >= AT_ONCE);
            goOn.countDown();
            for (var answer : answers) {
                assertThat(answer.get(60, TimeUnit.SECONDS).status()).isEqualTo(200);
            }
            assertThat(most).hasValue(AT_ONCE);
        }
    }
}
