package dev.artel.worker.link;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.artel.worker.wire.OrchestratorResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class SignsOfLifeTest {
    private static final OrchestratorResponse DONE =
            new OrchestratorResponse(200, new byte[0], null);

    private final SignsOfLife signs = new SignsOfLife();

    /// Trap: a heartbeat arrives after the farewell of its worker, which is there again for the orchestrator until it has been silent for long.
    @Test
    void theEnd_waitsForWhatIsUnderWay_andLetsNothingFollow() throws Exception {
        var begun = new CountDownLatch(1);
        var answered = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var heartbeat =
                    threads.submit(() ->
                            signs.send(() -> {
                                begun.countDown();
                                answered.await();
                                return DONE;
                            }));
            begun.await();
            var end = threads.submit(() -> signs.end(Duration.ofMinutes(10)));
            assertThat(end.isDone()).isFalse();

            answered.countDown();

            await().until(end::isDone);
            assertThat(heartbeat.get()).isEqualTo(DONE);
        }
        assertThatIOException().isThrownBy(() -> signs.send(() -> DONE));
    }

    @Test
    void theEnd_isNotHeldUpForLong_byAnAnswerThatDoesNotCome() throws Exception {
        var begun = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var heartbeat =
                    threads.submit(() ->
                            signs.send(() -> {
                                begun.countDown();
                                new CountDownLatch(1).await();
                                return DONE;
                            }));
            begun.await();

            signs.end(Duration.ofMillis(1));

            assertThat(heartbeat.isDone()).isFalse();
            assertThat(heartbeat.cancel(true)).isTrue();
        }
    }
}
