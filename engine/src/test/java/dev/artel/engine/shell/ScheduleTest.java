package dev.artel.engine.shell;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ScheduleTest {
    private final Thread.UncaughtExceptionHandler before =
            Thread.getDefaultUncaughtExceptionHandler();
    private final Queue<String> uncaught = new ConcurrentLinkedQueue<>();
    private final Schedule schedule = new Schedule("artel-test-schedule");

    @AfterEach
    void end() {
        schedule.close();
        Thread.setDefaultUncaughtExceptionHandler(before);
    }

    private void catchAll() {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, failure) -> uncaught.add(thread.getName() + " " + failure.getMessage()));
    }

    /// Trap: an executor keeps what its tasks throw to itself, and never repeats them again.
    @Test
    void anError_goesToWhoEndsTheProcess() {
        catchAll();
        schedule.repeat(
                Duration.ofMillis(1),
                () -> {
                    throw new StackOverflowError("repeated");
                });
        await().dontCatchUncaughtExceptions()
                .until(() -> uncaught.contains("artel-test-schedule repeated"));

        var _ =
                schedule.once(
                        Duration.ofMillis(1),
                        () -> {
                            throw new StackOverflowError("once");
                        });

        await().dontCatchUncaughtExceptions()
                .until(() -> uncaught.contains("artel-test-schedule once"));
    }

    @Test
    void anException_isNotTheLastThingThatIsDone() {
        catchAll();
        var times = new AtomicInteger();

        schedule.repeat(
                Duration.ofMillis(1),
                () -> {
                    times.incrementAndGet();
                    throw new IllegalStateException("planted by the test");
                });

        await().dontCatchUncaughtExceptions().until(() -> times.get() >= 3);
        assertThat(uncaught).isEmpty();
    }

    @Test
    void whatIsCancelled_orComesAfterTheEnd_isNotDone() throws Exception {
        var done = new CountDownLatch(1);
        var times = new AtomicInteger();
        assertThat(schedule.once(Duration.ofHours(1), times::incrementAndGet).cancel(false))
                .isTrue();
        var _ = schedule.once(Duration.ZERO, done::countDown);
        assertThat(done.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();

        schedule.close();

        assertThat(schedule.once(Duration.ZERO, times::incrementAndGet).isCancelled()).isTrue();
        schedule.repeat(Duration.ofMillis(1), times::incrementAndGet);
        assertThat(schedule.isClosed()).isTrue();
        assertThat(times).hasValue(0);
    }
}
