package dev.artel.worker.server.hub;

import static dev.artel.waits.Await.await;
import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonString;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class EventQueueTest {
    private static final int MANY = 1_000;

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final EventQueue queue = new EventQueue(threads);
    private final List<Integer> delivered = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void stop() {
        threads.close();
    }

    /// Trap: a peer sends while a handler is slow, and what it has sent is a gigabyte before it is a thousand messages.
    @Test
    void aReader_waitsWhileWhatHandlersHaveNotSeenIsTooMuch() throws Exception {
        var handler = new CountDownLatch(1);
        queue.post(() -> awaitUninterruptibly(handler));
        var each = EventQueue.MOST_WEIGHT / 4;

        var reader =
                threads.submit(() -> {
                    for (var i = 0; i < 12; i++) {
                        var number = i;
                        assertThat(queue.deliver(() -> delivered.add(number), MANY, each)).isTrue();
                        queue.awaitRoom();
                    }
                    return true;
                });
        await("the reader has filled the queue").until(() -> queue.waiting() >= 5);
        assertThat(reader.isDone()).isFalse();

        handler.countDown();

        assertThat(reader.get()).isTrue();
        queue.deliver(() -> delivered.add(12), 0);
        await("all are delivered").until(() -> delivered.size() == 13);
        assertThat(delivered).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    }

    @Test
    void aReader_waitsForNothing_onceTheQueueHasEnded() throws Exception {
        var discarding = new EventQueue(_ -> {});
        discarding.post(() -> delivered.add(0), 2 * EventQueue.MOST_WEIGHT);
        var reader = waiting(discarding::awaitRoom);

        discarding.end();

        assertThat(reader.join(Await.longest())).isTrue();
        discarding.awaitRoom();
    }

    /// Trap: the executor of the hub was shut down with what waited for it, and the thread that reads waited forever.
    @Test
    void aReader_waitsForNothing_onceItsHubIsStopped() throws Exception {
        var clock = new ManualClock(Instant.EPOCH);
        var hub =
                new WorkerHub(
                        HubOptions.DEFAULTS,
                        new HubRuntime(clock, clock, _ -> {}, new SplittableRandom(7)));
        hub.onProtocolMessage(_ -> {});
        var peer = new FakeConnection("10.0.0.1").openOn(hub);
        peer.sends(registration("w1", capabilities(1, "m1")));
        var large = heartbeat("w1").with("padding", new JsonString("x".repeat(900_000)));
        var reader =
                waiting(() -> {
                    for (var i = 0; i < 10; i++) {
                        peer.sends(large);
                    }
                });

        hub.stop(Duration.ZERO);

        assertThat(reader.join(Await.longest())).isTrue();
    }

    private static Thread waiting(Runnable reading) {
        var reader = Thread.ofVirtual().start(reading);
        await("the reader waits").until(() -> reader.getState() == Thread.State.WAITING);
        return reader;
    }

    @Test
    void anExecutorThatIsShutDown_leavesEventsToTheThreadThatPostsThem() {
        var refusing =
                new EventQueue(_ -> {
                    throw new RejectedExecutionException("shut down");
                });

        refusing.post(() -> delivered.add(1), 2 * EventQueue.MOST_WEIGHT);
        refusing.post(() -> delivered.add(2));
        refusing.awaitRoom();

        assertThat(delivered).containsExactly(1, 2);
        assertThat(refusing.waiting()).isZero();
    }

    @Test
    void eventsBeyondTheirNumber_areDropped() {
        var handler = new CountDownLatch(1);
        queue.post(() -> awaitUninterruptibly(handler));
        await("the handler has begun").until(() -> queue.waiting() == 0);
        try {
            assertThat(queue.deliver(() -> delivered.add(0), 1, 0)).isTrue();
            assertThat(queue.deliver(() -> delivered.add(1), 1, 0)).isFalse();
        } finally {
            handler.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
