package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class HandlerPoolTest {
    private static final HandlerPlaces PLACES = new HandlerPlaces(4, 2, 2, 2);

    private final Vitals vitals = new Vitals(Supervision.LOG_ONLY, Duration.ofMillis(50));
    private final HandlerPool pool = new HandlerPool(PLACES, Duration.ofMinutes(1), vitals);

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
                    public String client() {
                        return "c";
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

    /// Trap: no handler is ever over its time again, and no report names the cause.
    @Test
    void aWatchThatHangs_isNamedWithItsStack() {
        var goOn = new CountDownLatch(1);
        try (vitals;
                var impatient = new HandlerPool(PLACES, Duration.ofMillis(1), vitals)) {
            vitals.start();
            impatient.submit("b", new DeafTask(goOn));

            await().untilAsserted(() ->
                    assertThat(vitals.stuck())
                            .filteredOn(part -> part.part().equals("artel-handler-watch"))
                            .singleElement()
                            .satisfies(part -> assertThat(part.text()).contains("DeafTask.what")));
            goOn.countDown();
            await().untilAsserted(() -> assertThat(vitals.stuck()).isEmpty());
        } finally {
            goOn.countDown();
        }
    }

    /// Ignores its interrupt, and hangs each thread that asks what it is.
    private record DeafTask(CountDownLatch goOn) implements HandlerPool.Task {
        @Override
        public String what() {
            awaitEnd();
            return "a handler";
        }

        @Override
        public String client() {
            return "c";
        }

        @Override
        public Duration most() {
            return Duration.ofMillis(1);
        }

        @Override
        public void run(HandlerPool.Run run) {
            awaitEnd();
        }

        private void awaitEnd() {
            var interrupted = false;
            while (goOn.getCount() > 0) {
                try {
                    goOn.await();
                } catch (InterruptedException deaf) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void late() {}
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
