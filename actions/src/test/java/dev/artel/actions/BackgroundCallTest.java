package dev.artel.actions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.Configuration;
import dev.artel.waits.Await;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class BackgroundCallTest {
    private final BackgroundCall calls = new BackgroundCall("test");

    /// Trap: the time of a task is over, and what it computes goes on for good, a thread for each attempt. More of them than may compute at once.
    @Test
    void whatNobodyWaitsForAnyMore_isInterrupted_andMakesRoom() throws Exception {
        for (var count = 0; count < 2 * Runtime.getRuntime().availableProcessors() + 4; count++) {
            var begun = new CountDownLatch(1);
            var stopped = new CountDownLatch(1);
            var failure = new CompletableFuture<Throwable>();
            var waiting =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    calls.run(() -> untilInterrupted(begun, stopped));
                                } catch (CompletionException ended) {
                                    failure.complete(ended);
                                }
                            });
            begun.await();

            waiting.interrupt();

            stopped.await();
            assertThat(failure.get()).hasMessageContaining("the task was stopped");
        }
        assertThat(calls.run(() -> "done")).isEqualTo("done");
    }

    /// Trap: memory runs out in a query, its task is tried again, and the process goes on without what its other threads have lost.
    @Test
    void memoryThatRunsOut_isReportedAsByAnyThread() {
        var memory = new OutOfMemoryError("planted by the test");
        var reported = new CopyOnWriteArrayList<Throwable>();
        var before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((_, error) -> reported.add(error));
        try {
            assertThatThrownBy(() ->
                            calls.run(() -> {
                                throw memory;
                            }))
                    .isSameAs(memory);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }

        assertThat(reported).containsExactly(memory);
        assertThat(calls.run(() -> "done")).isEqualTo("done");
    }

    private static boolean untilInterrupted(CountDownLatch begun, CountDownLatch stopped) {
        begun.countDown();
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException interrupted) {
            stopped.countDown();
        }
        return true;
    }

    /// A library that computes looks at no interrupt.
    @Test
    void aQueryWhoseTaskIsOver_endsAtItsNextStep() {
        var json = new MeteredJson(Configuration.defaultConfiguration().jsonProvider(), "$");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> json.isArray(List.of()))
                    .isInstanceOf(MeteredJson.Ended.class)
                    .hasMessageContaining("its task is over");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(json.isArray(List.of())).isTrue();
    }
}
