package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class HandlerWatchTest {
    private final HandlerWatch watch = new HandlerWatch(2, Duration.ofMinutes(1));

    /// A run that takes too long, and ends when it is interrupted.
    private void overrun(Runnable late) throws InterruptedException {
        watch.await();
        Thread.ofVirtual()
                .start(() -> {
                    try (var _ = watch.begin("a handler", Duration.ofMillis(1), late)) {
                        assertThat(new CountDownLatch(1).await(1, TimeUnit.MINUTES)).isFalse();
                    } catch (InterruptedException expected) {
                        Thread.currentThread().interrupt();
                    }
                });
    }

    /// Trap: the first run of which nobody can be told is the last one that is ever looked at.
    @Test
    void aRunOfWhichNobodyCanBeTold_doesNotEndTheWatchOverTheOthers() throws InterruptedException {
        var heard = new AtomicBoolean();
        try (watch) {
            overrun(() -> {
                throw new IllegalStateException("nobody listens");
            });
            await().until(() -> watch.overran() == 1);

            overrun(() -> heard.set(true));

            await().until(heard::get);
            await().until(() -> watch.running() == 0);
        }
    }
}
