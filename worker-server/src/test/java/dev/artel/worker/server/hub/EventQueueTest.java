package dev.artel.worker.server.hub;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
        queue.deliver(() -> delivered.add(12));
        await("all are delivered").until(() -> delivered.size() == 13);
        assertThat(delivered).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
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
