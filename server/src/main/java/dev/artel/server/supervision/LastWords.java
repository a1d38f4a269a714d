package dev.artel.server.supervision;

import dev.artel.engine.shell.Supervision.Handlers;
import dev.artel.engine.shell.Supervision.RunningHandler;
import dev.artel.kernel.job.JobId;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What is written when the process ends: the jobs that brought it about in the file of deaths, a line on the standard error,
/// and the log, the most important first. Where memory runs out in between, it is called again and goes on where it was. For use
/// by one thread.
final class LastWords {
    private static final Logger LOG = LoggerFactory.getLogger(LastWords.class);

    /// So many handlers are named in the last line.
    private static final int NAMED = 5;

    /// Less than one part in so many of the heap is not called the reason why memory has run out.
    private static final int PARTS_OF_HEAP = 32;

    private static final int MOST_CAUSES = 10;

    private final String part;
    private final Throwable error;
    private final List<JobId> workedOn;
    private final Handlers handlers;

    private @Nullable List<JobId> blamed;
    private int remembered;
    private boolean isForced;
    private boolean isOnStandardError;

    /// @param part see [dev.artel.engine.shell.Supervision#fatal]
    LastWords(String part, Throwable error, List<JobId> workedOn, Handlers handlers) {
        this.part = part;
        this.error = error;
        this.workedOn = workedOn;
        this.handlers = handlers;
    }

    /// Has everything loaded that is needed for the last words: later there may be no memory for that.
    static void rehearse(Handlers handlers) {
        var job = new JobId("none");
        var error = new OutOfMemoryError("rehearsal");
        var words = new LastWords("none", error, List.of(), handlers);
        var _ = handlers.running();
        var beside = List.of(new RunningHandler(job, 1), new RunningHandler(job, 0));
        var _ = words.line(words.blamed(), beside);
    }

    /// Writes what is not written yet.
    void write(Deaths deaths, PrintStream err) {
        var jobs = blamed;
        if (jobs == null) {
            jobs = blamed();
            blamed = jobs;
        }
        remember(deaths, jobs);
        var beside = handlers.running();
        if (!isOnStandardError) {
            err.println(line(jobs, beside));
            err.flush();
            isOnStandardError = true;
        }
        LOG.atError()
                .addKeyValue("part", part)
                .addKeyValue("jobs", jobs)
                .addKeyValue("handlers", named(beside))
                .setCause(error)
                .log("a part of the orchestrator failed; the process ends");
    }

    private void remember(Deaths deaths, List<JobId> jobs) {
        try {
            // One line at least: an end without a job counts as an end.
            while (remembered < Math.max(1, jobs.size())) {
                var at = System.currentTimeMillis() / 1_000;
                if (jobs.isEmpty()) {
                    deaths.addWithoutJob(at, what());
                } else {
                    deaths.add(jobs.get(remembered), at, what());
                }
                remembered++;
            }
            if (!isForced) {
                deaths.force();
                isForced = true;
            }
        } catch (IOException e) {
            remembered = Math.max(1, jobs.size());
            isForced = true;
            LOG.atError()
                    .addKeyValue("jobs", jobs)
                    .setCause(e)
                    .log("the record of the end of the process cannot be written");
        }
    }

    private String[] what() {
        var message = error.getMessage();
        return new String[] {
            part,
            ": ",
            error.getClass().getName(),
            message == null ? "" : ": ",
            message == null ? "" : message
        };
    }

    /// Memory that a handler has used up is missed by the thread that asks for some next, which may run
    /// nothing.
    private List<JobId> blamed() {
        if (!isOutOfMemory(error)) {
            return workedOn;
        }
        var greediest = handlers.greediest();
        if (greediest.isEmpty()) {
            return workedOn;
        }
        var least = Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP;
        return greediest.get().isGreedy()
                        || (workedOn.isEmpty() && greediest.get().allocated() > least)
                ? List.of(greediest.get().job())
                : workedOn;
    }

    /// A class that cannot be loaded for want of memory shows that only in its causes.
    private static boolean isOutOfMemory(Throwable error) {
        Throwable cause = error;
        for (var depth = 0; depth < MOST_CAUSES && cause != null; depth++) {
            if (cause instanceof OutOfMemoryError) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    private String line(List<JobId> jobs, List<RunningHandler> beside) {
        return "artel: ends with exit code "
                + EndOfProcess.EXIT_CODE
                + ": thread "
                + part
                + " failed with "
                + error
                + (jobs.isEmpty() ? "" : " running job " + jobs)
                + (beside.isEmpty()
                        ? ""
                        : "; handlers ran for jobs (memory that they had allocated): "
                                + named(beside))
                + "; what was acknowledged is durable, start it again";
    }

    private static String named(List<RunningHandler> beside) {
        var some =
                beside.stream()
                        .limit(NAMED)
                        .map(one -> one.job() + " (" + (one.allocated() >> 20) + " MB)")
                        .collect(Collectors.joining(", "));
        var others = beside.size() - NAMED;
        return others > 0 ? some + " and " + others + " others" : some;
    }
}
