package dev.artel.server.supervision;

import dev.artel.engine.shell.Supervision;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the process when a part of the engine fails: what was acknowledged is durable, and a process that is started again is worth
/// more than one whose further behaviour is unknown. Safe for use by many threads.
public final class EndOfProcess implements Supervision {
    /// The exit code, `EX_SOFTWARE` of `sysexits.h`.
    public static final int EXIT_CODE = 70;

    private static final Logger LOG = LoggerFactory.getLogger(EndOfProcess.class);
    private static final int RESERVES = 16;
    private static final int RESERVE_BYTES = 256 << 10;
    private static final int LAST_WORDS_SECONDS = 20;

    private static final Handlers NONE =
            new Handlers() {
                @Override
                public Optional<RunningHandler> greediest() {
                    return Optional.empty();
                }

                @Override
                public List<RunningHandler> running() {
                    return List.of();
                }

                @Override
                public List<JobId> exiting() {
                    return List.of();
                }
            };

    private final Deaths deaths;
    private final PrintStream err;
    private final IntConsumer halt;
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch end = new CountDownLatch(1);

    /// The memory for the last words, when memory has run out. In pieces: the thread that has used up all memory
    /// may take what is given back before the last words have it.
    private final Deque<byte[]> reserve = new ArrayDeque<>();

    private volatile Handlers handlers = NONE;

    EndOfProcess(Path folder, PrintStream err, IntConsumer halt) {
        this.deaths = Deaths.in(folder, Instant.now());
        this.err = err;
        this.halt = halt;
        for (var i = 0; i < RESERVES; i++) {
            reserve.add(new byte[RESERVE_BYTES]);
        }
        // Started now: later there may be no memory for a thread.
        Thread.ofPlatform().daemon().name("artel-end-of-process").start(this::awaitEnd);
    }

    /// Supervises the process that this runs in.
    ///
    /// @param folder where it is remembered which jobs ran
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
            LastWords.rehearse(NONE);
            end.await();
            Thread.sleep(TimeUnit.SECONDS.toMillis(LAST_WORDS_SECONDS));
        } catch (InterruptedException now) {
            Thread.currentThread().interrupt();
        }
        halt.accept(EXIT_CODE);
    }

    @Override
    public void fatal(String part, Throwable error, List<JobId> workedOn) {
        if (!begun.compareAndSet(false, true)) {
            return;
        }
        end.countDown();
        try {
            insist(part, error, workedOn);
        } finally {
            halt.accept(EXIT_CODE);
        }
    }

    /// With more and more memory, as long as it does not suffice: its lack has many faces.
    @SuppressWarnings(
            "IllegalCatch") // no part is left that it can be reported to; the exit code shows that
    // it ends
    private void insist(String part, Throwable error, List<JobId> workedOn) {
        @Nullable LastWords words = null;
        while (true) {
            try {
                if (words == null) {
                    words = new LastWords(part, error, workedOn, handlers);
                }
                words.write(deaths, err);
                return;
            } catch (Throwable failed) {
                if (reserve.poll() == null) {
                    return;
                }
            }
        }
    }

    @Override
    public void watchHandlers(Handlers all) {
        handlers = all;
        LastWords.rehearse(all);
        // A handler that ends the process does so again after each start; the first one may before
        // the start is over.
        Runtime.getRuntime()
                .addShutdownHook(
                        Thread.ofPlatform()
                                .name("artel-exits")
                                .unstarted(() -> endedBy(all.exiting())));
    }

    /// The process ends by handlers of `jobs`, which asked for it.
    void endedBy(List<JobId> jobs) {
        if (jobs.isEmpty()) {
            return;
        }
        try {
            for (var job : jobs) {
                deaths.add(
                        job, System.currentTimeMillis() / 1_000, "its handler: called System.exit");
            }
            deaths.force();
        } catch (IOException e) {
            LOG.atError()
                    .addKeyValue("jobs", jobs)
                    .setCause(e)
                    .log("the record of jobs that ended the process cannot be written");
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

    @Override
    public Optional<String> crashLoop() {
        return deaths.crashLoop();
    }
}
