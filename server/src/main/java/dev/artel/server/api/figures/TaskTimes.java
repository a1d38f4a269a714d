package dev.artel.server.api.figures;

import dev.artel.engine.shell.DispatchObserver;
import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// How long tasks wait for a worker and are with one, by their type, and how long jobs take, by their blueprint. Tasks that a
/// worker has had since before the start are not measured, nor those beyond a hundred thousand at once. Safe for use by many
/// threads.
public final class TaskTimes implements JobObserver, DispatchObserver {
    /// So many types, and so many blueprints, are counted separately.
    static final int MOST_NAMES = 100;

    private static final int MOST_RUNNING = 100_000;
    private static final Duration BETWEEN_SWEEPS = Duration.ofMinutes(1);

    private final InstantSource clock;
    private final LatencyWindows queues = new LatencyWindows(MOST_NAMES);
    private final LatencyWindows executions = new LatencyWindows(MOST_NAMES);
    private final LatencyWindows jobs = new LatencyWindows(MOST_NAMES);
    private final Map<Key, Running> running = new ConcurrentHashMap<>();
    private volatile Listener listener = Listener.NONE;
    private volatile Instant swept = Instant.EPOCH;

    private record Key(JobId job, int task) {}

    /// @param until when the attempt runs too long
    private record Running(LeaseToken token, String type, Instant since, Instant until) {}

    /// Receives each time that was measured, from an engine thread: must not block and not throw.
    interface Listener {
        /// Receives nothing.
        Listener NONE =
                new Listener() {
                    @Override
                    public void queued(String type, Duration time) {}

                    @Override
                    public void executed(String type, Duration time) {}

                    @Override
                    public void ended(String blueprint, Duration time) {}
                };

        /// A task of `type` waited for its worker for `time`.
        void queued(String type, Duration time);

        /// A worker had a task of `type` for `time`, up to its result.
        void executed(String type, Duration time);

        /// A job took `time`, from its submission to its outcome.
        void ended(String blueprint, Duration time);
    }

    /// Nothing was measured yet.
    public TaskTimes(InstantSource clock) {
        this.clock = clock;
    }

    void addListener(Listener other) {
        listener = other;
    }

    /// How long tasks waited for a worker, by type.
    public LatencyWindows queues() {
        return queues;
    }

    /// How long workers had tasks, by type.
    public LatencyWindows executions() {
        return executions;
    }

    /// How long jobs took, by blueprint.
    public LatencyWindows jobs() {
        return jobs;
    }

    /// A minute is over.
    void turn() {
        queues.turn();
        executions.turn();
        jobs.turn();
    }

    @Override
    public void placed(String type, Duration waited) {
        queues.record(type, waited);
        listener.queued(type, waited);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        for (var event : events) {
            if (event instanceof JobEvent.AttemptEvent attempt) {
                happened(job, attempt);
            } else if (event instanceof JobEvent.JobEnded(var _, var at)) {
                var time = between(job.submitted(), at);
                var blueprint = job.spec().blueprint().name();
                jobs.record(blueprint, time);
                listener.ended(blueprint, time);
            }
        }
    }

    private void happened(Job job, JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted(int task, var lease, var _, var at) -> {
                if (hasRoom()) {
                    running.putIfAbsent(
                            new Key(job.id(), task),
                            new Running(
                                    lease.token(),
                                    job.tasks().get(task).spec().type(),
                                    at,
                                    lease.timeout()));
                }
            }
            case JobEvent.TaskSucceeded(int task, var token, var _, var _, var at) -> {
                var its = running.remove(new Key(job.id(), task));
                if (its != null && its.token().equals(token)) {
                    executed(its, at);
                }
            }
            case JobEvent.TaskFailed failed -> executed(job, failed.task(), failed.at());
            case JobEvent.AttemptFailed failed -> executed(job, failed.task(), failed.at());
            case JobEvent.LeaseLost _,
                    JobEvent.LeaseReturned _,
                    JobEvent.LeaseReleased _,
                    JobEvent.AttemptDropped _,
                    JobEvent.OutcomeUnknown _ ->
                    running.remove(new Key(job.id(), event.task()));
            case JobEvent.HedgeBegun _,
                    JobEvent.AttemptSettled _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.QuestionAsked _,
                    JobEvent.QuestionAnswered _,
                    JobEvent.OutcomeResolved _ -> {
                // the worker still has it, or no worker had it
            }
        }
    }

    private void executed(Job job, int task, Instant at) {
        var its = running.remove(new Key(job.id(), task));
        if (its != null) {
            executed(its, at);
        }
    }

    private void executed(Running its, Instant at) {
        var time = between(its.since(), at);
        executions.record(its.type(), time);
        listener.executed(its.type(), time);
    }

    /// The clock may have been set back meanwhile.
    private static Duration between(Instant since, Instant at) {
        var time = Duration.between(since, at);
        return time.isNegative() ? Duration.ZERO : time;
    }

    /// Tasks that were no longer wanted may have left without an event of their own.
    private boolean hasRoom() {
        if (running.size() < MOST_RUNNING) {
            return true;
        }
        var now = clock.instant();
        if (swept.plus(BETWEEN_SWEEPS).isBefore(now)) {
            swept = now;
            running.values().removeIf(its -> its.until().isBefore(now));
        }
        return running.size() < MOST_RUNNING;
    }
}
