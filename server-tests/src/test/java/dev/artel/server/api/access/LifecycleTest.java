package dev.artel.server.api.access;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Supervision;
import dev.artel.engine.shell.Vitals;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class LifecycleTest {
    private static final Duration SOON = Duration.ofMillis(50);

    /// Trap: a start that hangs looks alive forever, and nothing starts the process again.
    @Test
    void aStartThatHangs_isNamed_andAfterAWhileItIsDead() throws Exception {
        var goOn = new CountDownLatch(1);
        try (var vitals = Vitals.watching(Supervision.LOG_ONLY)) {
            var lifecycle = new Lifecycle(vitals, Duration.ofSeconds(2));
            assertThat(lifecycle.obstacle()).hasValue("starting: open jobs are being taken up");
            var heart = vitals.heart("artel-recovery", SOON);
            var start =
                    Thread.ofPlatform()
                            .start(() -> {
                                heart.begin();
                                hang(goOn);
                                heart.rest();
                            });

            await().untilAsserted(() ->
                    assertThat(lifecycle.obstacle().orElseThrow())
                            .startsWith(
                                    "starting: open jobs are being taken up; artel-recovery has been"
                                            + " at the same thing for")
                            .contains("LifecycleTest.hang"));
            await().untilAsserted(() ->
                    assertThat(lifecycle.death())
                            .hasValueSatisfying(
                                    why -> assertThat(why).startsWith("artel-recovery has")));
            goOn.countDown();
            start.join();
            await().untilAsserted(() -> assertThat(lifecycle.death()).isEmpty());
        } finally {
            goOn.countDown();
        }
    }

    private static void hang(CountDownLatch goOn) {
        try {
            assertThat(goOn.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
