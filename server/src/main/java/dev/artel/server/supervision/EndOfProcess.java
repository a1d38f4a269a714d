package dev.artel.server.supervision;

import dev.artel.engine.shell.Supervision;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the process when a part of the engine fails: what was acknowledged is durable, and a process that is started again is worth
/// more than one of which nobody knows what it still does. Safe for use by many threads.
public final class EndOfProcess implements Supervision {
    /// The exit code, `EX_SOFTWARE` of `sysexits.h`.
    public static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(EndOfProcess.class);
    private static final int RESERVE_BYTES = 2 << 20;
    private static final int LAST_WORDS_SECONDS = 10;

    private final Deaths deaths;
    private final PrintStream err;
    private final IntConsumer halt;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch end = new CountDownLatch(1);

    /// What the last words are said with, when memory has run out.
    @SuppressWarnings("UnusedVariable") // what counts is that it is there, and then no more
    private byte @Nullable [] reserve = new byte[RESERVE_BYTES];

    EndOfProcess(Path folder, PrintStream err, IntConsumer halt) {
        this.deaths = Deaths.in(folder);
        this.err = err;
        this.halt = halt;
        // Started now: later there may be no memory for a thread.
        Thread.ofPlatform().daemon().name("artel-end-of-process").start(this::awaitEnd);
    }

    /// Supervises the process that this runs in.
    ///
    /// @param folder where it is remembered which jobs were at work
    /// @param err for the last line
    public static EndOfProcess supervising(Path folder, PrintStream err) {
        return new EndOfProcess(folder, err, Runtime.getRuntime()::halt);
    }

    /// Also takes note of threads of the orchestrator that end with an error.
    public void watchThreads() {
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
            if (failure instanceof Error && thread.getName().startsWith("artel-")) {
                fatal(thread.getName(), failure, List.of());
            } else {
                LOG.atError()
                        .addKeyValue("thread", thread.getName())
                        .setCause(failure)
                        .log("a thread ended with an exception");
            }
        });
    }

    /// Whatever else fails, the process ends.
    private void awaitEnd() {
        try {
            end.await();
            Thread.sleep(TimeUnit.SECONDS.toMillis(LAST_WORDS_SECONDS));
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
        halt.accept(EXIT_CODE);
    }

    @Override
    @SuppressWarnings("IllegalCatch") // there is nobody left to tell
    public void fatal(String part, Throwable error, List<JobId> workedOn) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        reserve = null;
        end.countDown();
        try {
            remember(part, error, workedOn);
            err.println(
                    "artel: ends with exit code "
                            + EXIT_CODE
                            + ": thread "
                            + part
                            + " failed with "
                            + error
                            + (workedOn.isEmpty() ? "" : " at work on job " + workedOn)
                            + "; what was acknowledged is durable, start it again");
            err.flush();
            LOG.atError()
                    .addKeyValue("part", part)
                    .addKeyValue("jobs", workedOn)
                    .setCause(error)
                    .log("a part of the orchestrator failed; the process ends");
        } catch (Throwable mute) {
            // The process ends all the same, and its exit code says why.
        } finally {
            halt.accept(EXIT_CODE);
        }
    }

    /// A handler that ends the process does so again after each start; the first one may before the start is over.
    @Override
    public void watchExits(Supplier<List<JobId>> exiting) {
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("artel-exits")
                                .unstarted(() -> endedBy(exiting.get())));
    }

    /// The process ends by handlers of `jobs`, which said so.
    void endedBy(List<JobId> jobs) {
        remember("its handler", "called System.exit", jobs);
    }

    private void remember(String part, Object error, List<JobId> workedOn) {
        for (var job : workedOn) {
            try {
                deaths.add(job, Instant.now().truncatedTo(ChronoUnit.SECONDS), part + ": " + error);
            } catch (IOException e) {
                LOG.atError()
                        .addKeyValue("job", job)
                        .setCause(e)
                        .log("nobody will know that the process ended while it worked on a job");
            }
        }
    }

    @Override
    public Optional<String> setAside(JobId job) {
        return deaths.setAside(job);
    }

    @Override
    public boolean setsAsideAny() {
        return deaths.setsAsideAny();
    }
}
