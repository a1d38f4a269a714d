package dev.artel.server.wiring;

import dev.artel.gateway.http.WorkerLimits;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import dev.artel.protocol.TaskLog;
import dev.artel.server.api.ProgressBoard;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// Keeps what workers say of their tasks: of a worker as much as its rate says, and of a job so much, as long as it was not
/// silent for longer than many others.
final class TaskOutput implements SessionShell.ProgressListener {
    private static final long MOST_OF_A_JOB = 64L << 20;
    private static final int JOBS = 10_000;

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
    public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> said) {
        var address = token.address();
        var attempt = token.attempt();
        var open = logs;
        if (open == null || address.isEmpty() || attempt.isEmpty()) {
            return;
        }
        var bytes = said.stream().mapToLong(line -> line.message().length() + LINE).sum();
        var kept =
                isWithin(worker, address.get().job(), bytes)
                        && open.keep(
                                new JobLogs.Attempt(
                                        address.get().job(),
                                        address.get().task(),
                                        attempt.getAsInt()),
                                lines(said));
        (kept ? lines : dropped).add(said.size());
    }

    private boolean isWithin(WorkerId worker, JobId job, long bytes) {
        synchronized (taken) {
            var all = taken.getOrDefault(job, 0L) + bytes;
            if (all > MOST_OF_A_JOB || limits.takeBytes(worker, bytes).isPresent()) {
                return false;
            }
            taken.remove(job);
            taken.putLast(job, all);
            if (taken.size() > JOBS) {
                taken.pollFirstEntry();
            }
            return true;
        }
    }

    private List<JobLogs.Line> lines(List<TaskLog.Line> said) {
        var now = clock.instant();
        var kept = new ArrayList<JobLogs.Line>();
        for (var line : said) {
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
