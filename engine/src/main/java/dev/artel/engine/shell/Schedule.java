package dev.artel.engine.shell;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Does things after a while, or again and again, one at a time on a thread of its own. Safe for use by many threads.
///
/// An exception is logged, and what is done again and again is done again at its next time. An error goes where it goes in
/// any other thread of the orchestrator, to the handler of uncaught exceptions, which ends the process (ADR 32): an
/// executor would keep it to itself, and end what it should have repeated.
public final class Schedule implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Schedule.class);

    private final String name;
    private final Vitals.@Nullable Heart heart;
    private final ScheduledThreadPoolExecutor executor;

    /// One without supervision.
    ///
    /// @param name of its thread, which begins with `artel-`
    public Schedule(String name) {
        this(name, (Vitals.Heart) null);
    }

    /// @param name of its thread, which begins with `artel-`
    /// @param vitals names it when it is at one thing for too long
    Schedule(String name, Vitals vitals) {
        this(name, vitals.heart(name));
    }

    private Schedule(String name, Vitals.@Nullable Heart heart) {
        this.name = name;
        this.heart = heart;
        executor =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name(name).factory());
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /// Does `task` again and again, with `pause` before each time; nothing, once this is closed.
    public void repeat(Duration pause, Runnable task) {
        try {
            var nanos = pause.toNanos();
            var _ =
                    executor.scheduleWithFixedDelay(
                            () -> guard(task), nanos, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.atDebug().addKeyValue("thread", name).log("an output follows the end");
        }
    }

    /// Does `task` after `delay`; never, once this is closed.
    ///
    /// @return with which it can be cancelled
    public Future<?> once(Duration delay, Runnable task) {
        try {
            return executor.schedule(() -> guard(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            var never = new CompletableFuture<Void>();
            never.cancel(false);
            return never;
        }
    }

    private void guard(Runnable task) {
        if (heart != null) {
            heart.begin();
        }
        try {
            task.run();
        } catch (RuntimeException failure) {
            LOG.atError()
                    .addKeyValue("thread", name)
                    .setCause(failure)
                    .log("a periodic task failed; it runs again at its next time");
        } catch (Error error) {
            var thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, error);
        } finally {
            if (heart != null) {
                heart.rest();
            }
        }
    }

    /// Whether it does nothing more.
    public boolean isClosed() {
        return executor.isShutdown();
    }

    /// Does nothing more, and waits for what it is at.
    ///
    /// @return whether that is done, within `timeout`
    boolean end(Duration timeout) throws InterruptedException {
        executor.shutdown();
        return executor.awaitTermination(timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// Does nothing more, and interrupts what it is at.
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
