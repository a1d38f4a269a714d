package dev.artel.json.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class JsonThreadsTest {
    private static final List<JsonValue> LARGE =
            List.of(
                    new JsonString("x".repeat(100_000)),
                    new JsonArray(Collections.nCopies(10_000, JsonObject.EMPTY)),
                    JsonObject.of(
                            "a", new JsonArray(Collections.nCopies(10_000, JsonNumber.of(1)))));

    private static <T> T inVirtualThread(Callable<T> work) throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads.submit(work).get();
        }
    }

    /// Trap: a virtual thread keeps its carrier while it computes, and a few of them have all others wait.
    @Test
    void largeValues_areNoWorkForVirtualThreads_andSmallOnesAre() throws Exception {
        for (var value : LARGE) {
            assertThat(
                            inVirtualThread(() ->
                                    JsonThreads.compute(
                                            value, () -> Thread.currentThread().isVirtual())))
                    .isFalse();
        }
        assertThat(
                        inVirtualThread(() ->
                                JsonThreads.compute(
                                        JsonObject.of("a", JsonNumber.of(1)),
                                        () -> Thread.currentThread().isVirtual())))
                .isTrue();
        assertThat(
                        inVirtualThread(() ->
                                JsonThreads.compute(
                                        JsonThreads.SMALL + 1L,
                                        () -> Thread.currentThread().isVirtual())))
                .isFalse();
    }

    /// Trap: a client has texts of 64 MiB checked, and the values of all others wait behind them.
    @Test
    void workOnHugeTexts_hasNobodyElseWait() throws Exception {
        var cores = Runtime.getRuntime().availableProcessors();
        var over = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var i = 0; i < cores; i++) {
                var _ =
                        threads.submit(
                                () -> JsonThreads.run(JsonThreads.HUGE + 1L, () -> await(over)));
            }

            var large = inVirtualThread(() -> JsonThreads.compute(JsonThreads.HUGE, () -> "done"));

            assertThat(large).isEqualTo("done");
            over.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aThreadOfThePlatform_doesItsWorkItself() {
        var thread = JsonThreads.compute(LARGE.getFirst(), Thread::currentThread);

        assertThat(thread).isSameAs(Thread.currentThread());
    }

    @Test
    void whatAVirtualThreadWritesAndReads_isTheSame() throws Exception {
        for (var value : LARGE) {
            var text = inVirtualThread(() -> JsonText.write(value));

            assertThat(text).isEqualTo(JsonText.write(value));
            assertThat(inVirtualThread(() -> JsonText.length(value))).isEqualTo(text.length);
            assertThat(inVirtualThread(() -> JsonText.readWritten(text))).isEqualTo(value);
        }
    }

    @Test
    void aRefusal_reachesTheThreadThatAsked() {
        var half = new JsonString("x".repeat(100_000) + '\ud800');

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> inVirtualThread(() -> JsonText.write(half)))
                .withCauseInstanceOf(IllegalArgumentException.class)
                .withMessageContaining("surrogate");
    }
}
