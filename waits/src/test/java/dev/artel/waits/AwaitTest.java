package dev.artel.waits;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AwaitTest {
    @TempDir Path folder;

    @BeforeEach
    void waitShortly() {
        System.setProperty(Await.FACTOR, "0.002");
    }

    @AfterEach
    void waitAsLongAsElsewhere() {
        System.clearProperty(Await.FACTOR);
    }

    private static String failureOf(ThrowingRunnable wait) {
        try {
            wait.run();
        } catch (AssertionError e) {
            return String.valueOf(e.getMessage());
        } catch (Throwable e) {
            throw new IllegalStateException("another failure", e);
        }
        throw new IllegalStateException("no failure");
    }

    @Test
    void deadlines_areMultipliedByTheFactor() {
        assertThat(Await.longest()).isEqualTo(Duration.ofMillis(360));
        System.setProperty(Await.FACTOR, "2");
        assertThat(Await.longest()).isEqualTo(Duration.ofMinutes(6));
        assertThat(Await.seconds()).isEqualTo(360);
    }

    @Test
    void whatHolds_endsTheWait() {
        System.clearProperty(Await.FACTOR);
        var asked = new AtomicInteger();

        Await.await("the third time").until(() -> asked.incrementAndGet() == 3);

        assertThat(asked).hasValue(3);
    }

    @Test
    void aWaitInVain_reportsWhatWasAwaited_andTheLastValue() {
        assertThat(failureOf(() -> Await.await("the answer").until(() -> 41, it -> it == 42)))
                .startsWith("awaited in vain for ")
                .contains("the answer", "the last value: 41");
    }

    @Test
    void aWaitInVain_reportsTheLastFailureOfTheCondition() {
        assertThat(failureOf(() -> Await.await().untilAsserted(() -> assertThat(41).isEqualTo(42))))
                .contains("expected: 42", "but was: 41");
        assertThat(
                        failureOf(() ->
                                Await.await()
                                        .ignoreExceptions()
                                        .until(() -> {
                                            throw new IllegalStateException("not there");
                                        })))
                .contains(
                        "the condition threw at last: java.lang.IllegalStateException: not there");
    }

    @Test
    void aWaitInVain_reportsEvidence_untilItIsClosed() throws Exception {
        var log =
                Files.writeString(folder.resolve("log"), "x".repeat(9_000) + "the end of the log");
        try (var _ = Evidence.ofFile(log);
                var _ = Evidence.of("job 7", () -> "queued");
                var _ =
                        Evidence.of(
                                "job 8",
                                () -> {
                                    throw new IllegalStateException("no answer");
                                })) {
            assertThat(failureOf(() -> Await.await().until(() -> false)))
                    .contains("--- " + log, "xthe end of the log", "--- job 7\nqueued")
                    .contains(
                            "--- job 8\nnot to be read: java.lang.IllegalStateException: no answer")
                    .hasSizeLessThan(60_000);
        }
        assertThat(failureOf(() -> Await.await().until(() -> false))).doesNotContain("job 7");
    }

    @Test
    void aWaitInVain_reportsTheThreads_alsoVirtualOnes() throws Exception {
        var latch = new CountDownLatch(1);
        var thread = Thread.ofVirtual().name("that waits").start(() -> waitFor(latch));
        try {
            assertThat(failureOf(() -> Await.await().until(() -> false)))
                    .containsPattern("--- threads: \\d+ of \\d+ in code of dev.artel")
                    .contains("\"that waits\"", "AwaitTest");
        } finally {
            latch.countDown();
            thread.join(Duration.ofSeconds(20));
        }
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
