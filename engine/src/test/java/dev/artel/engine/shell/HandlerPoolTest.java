package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class HandlerPoolTest {
    private final HandlerPool pool =
            new HandlerPool(new HandlerPlaces(4, 2, 2, 2), Duration.ofMinutes(1));

    /// A run that takes too long, and ends when it is interrupted.
    private void overrun(Runnable late) {
        pool.submit(
                "b",
                new HandlerPool.Task() {
                    @Override
                    public String what() {
                        return "a handler";
                    }

                    @Override
                    public Duration most() {
                        return Duration.ofMillis(1);
                    }

                    @Override
                    public void run(HandlerPool.Run run) {
                        try {
                            assertThat(new CountDownLatch(1).await(1, TimeUnit.MINUTES)).isFalse();
                        } catch (InterruptedException expected) {
                            Thread.currentThread().interrupt();
                        }
                    }

                    @Override
                    public void late() {
                        late.run();
                    }
                });
    }

    /// Trap: the first run that cannot be reported is the last one that is ever looked at.
    @Test
    void aRunThatCannotBeReported_doesNotEndTheWatchOverTheOthers() {
        var heard = new AtomicBoolean();
        try (pool) {
            overrun(() -> {
                throw new IllegalStateException("nobody listens");
            });
            await().until(() -> pool.overran() == 1);

            overrun(() -> heard.set(true));

            await().until(heard::get);
            await().until(() -> pool.taken() == 0);
        }
    }
}
