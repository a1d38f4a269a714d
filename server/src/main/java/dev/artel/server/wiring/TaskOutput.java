package dev.artel.server.wiring;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import dev.artel.protocol.TaskLog;
import dev.artel.server.api.tasks.ProgressBoard;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Keeps the lines that workers log: of a worker as much as its rate allows, and of a job so much, as long as it was not
/// silent for longer than many others. What is dropped leaves a line in the log of its attempt: which limit it was, and, where
/// lines are kept again, how many are missing.
///
/// Safe for use by many threads.
final class TaskOutput implements SessionShell.ProgressListener {
    private static final long MOST_OF_A_JOB = 64L << 20;
    private static final int JOBS = 10_000;

    /// Of so many attempts it is known how many lines are missing.
    private static final int ATTEMPTS = 1_000;

    /// What a line takes beside its message, about.
    private static final int LINE = 40;

    private final InstantSource clock;
    private final ProgressBoard progress;
    private final WorkerLimits limits;
    private final LongAdder lines = new LongAdder();
    private final LongAdder dropped = new LongAdder();

    /// Null before the stores are open, when no worker is talked to yet.
    private volatile @Nullable JobLogs logs;

    /// How many bytes of each job were taken.
    private final SequencedMap<JobId, Long> taken = new LinkedHashMap<>();

    /// How many lines of each attempt are missing since its last line was taken.
    private final SequencedMap<JobLogs.Attempt, Long> missing = new LinkedHashMap<>();

    /// Whether a line may be kept, and if not, which limit it was.
    private enum Room {
        YES(""),
        OF_WORKER("the worker sends more than its bytes per minute"),
        OF_JOB("the job has more than " + (MOST_OF_A_JOB >> 20) + " MiB of log");

        private final String limit;

        Room(String limit) {
            this.limit = limit;
        }
    }

    TaskOutput(InstantSource clock, ProgressBoard progress, WorkerLimits limits) {
        this.clock = clock;
        this.progress = progress;
        this.limits = limits;
    }

    void keepIn(JobLogs open) {
        logs = open;
    }

    /// How many lines were taken.
    long lines() {
        return lines.sum();
    }

    /// How many lines were lost, since more came than could be written or may be kept.
    long dropped() {
        return dropped.sum();
    }

    @Override
    public void progressed(WorkerId worker, LeaseToken token, double fraction, String message) {
        progress.progressed(worker, token, fraction, message);
    }

    @Override
    public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> logged) {
        var address = token.address();
        var attempt = token.attempt();
        var open = logs;
        if (open == null || address.isEmpty() || attempt.isEmpty()) {
            return;
        }
        var of = new JobLogs.Attempt(address.get().job(), address.get().task(), attempt.getAsInt());
        var room = room(worker, of.job(), logged);
        if (room != Room.YES) {
            dropped.add(logged.size());
            if (isFirstMissing(of, logged.size())) {
                open.keep(
                        worker,
                        of,
                        List.of(warning("lines are dropped from here on: " + room.limit)));
            }
            return;
        }
        var kept = open.keep(worker, of, withGap(of, lines(logged)));
        (kept ? lines : dropped).add(logged.size());
    }

    private Room room(WorkerId worker, JobId job, List<TaskLog.Line> logged) {
        var bytes = logged.stream().mapToLong(line -> line.message().length() + LINE).sum();
        synchronized (taken) {
            var all = taken.getOrDefault(job, 0L) + bytes;
            if (all > MOST_OF_A_JOB) {
                return Room.OF_JOB;
            }
            if (limits.takeBytes(worker, bytes).isPresent()) {
                return Room.OF_WORKER;
            }
            taken.remove(job);
            taken.putLast(job, all);
            if (taken.size() > JOBS) {
                taken.pollFirstEntry();
            }
            return Room.YES;
        }
    }

    private boolean isFirstMissing(JobLogs.Attempt attempt, int count) {
        synchronized (missing) {
            var before = missing.getOrDefault(attempt, 0L);
            missing.put(attempt, before + count);
            if (missing.size() > ATTEMPTS) {
                missing.pollFirstEntry();
            }
            return before == 0;
        }
    }

    /// With a line before them that states how many are missing, if there are some.
    private List<JobLogs.Line> withGap(JobLogs.Attempt attempt, List<JobLogs.Line> kept) {
        Long gap;
        synchronized (missing) {
            gap = missing.remove(attempt);
        }
        if (gap != null) {
            kept.addFirst(warning(gap + " lines were dropped here"));
        }
        return kept;
    }

    private JobLogs.Line warning(String message) {
        return new JobLogs.Line(clock.instant(), "warn", message);
    }

    private List<JobLogs.Line> lines(List<TaskLog.Line> logged) {
        var now = clock.instant();
        var kept = new ArrayList<JobLogs.Line>();
        for (var line : logged) {
            var message = line.message();
            kept.add(
                    new JobLogs.Line(
                            at(line, now),
                            line.level(),
                            message.length() > JobLogs.MAX_MESSAGE
                                    ? message.substring(0, JobLogs.MAX_MESSAGE)
                                    : message));
        }
        return kept;
    }

    private static Instant at(TaskLog.Line line, Instant now) {
        var at = line.at();
        return at == null || at.isAfter(now) ? now : at;
    }
}
