package dev.artel.server.api.figures;

import dev.artel.engine.shell.DispatchObserver;
import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.Task;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiPredicate;

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

    /// By job, and in it by the number of the task; what is in a map of a job is only touched within a computation.
    private final Map<JobId, Map<Integer, Running>> running = new ConcurrentHashMap<>();

    private final AtomicInteger count = new AtomicInteger();
    private volatile Listener listener = Listener.NONE;
    private volatile Instant swept = Instant.EPOCH;

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
                var blueprint = job.spec().blueprint().group();
                jobs.record(blueprint, time);
                listener.ended(blueprint, time);
                forget(job.id(), (_, _) -> true);
            } else if (event instanceof JobEvent.JobContinued) {
                // Tasks are numbered anew.
                forget(job.id(), (_, _) -> true);
            } else if (mayWithdraw(event)) {
                forget(job.id(), (task, _) -> !isOpen(job, task));
            }
        }
    }

    /// Whether by `event` tasks may be no longer wanted that have no event of their own.
    private static boolean mayWithdraw(JobEvent event) {
        return event instanceof JobEvent.TasksWithdrawn
                || event instanceof JobEvent.BranchesStopped
                || event instanceof JobEvent.CancelHandled
                || event instanceof JobEvent.CompensationStarted
                || event instanceof JobEvent.JobRewound;
    }

    private static boolean isOpen(Job job, int task) {
        return task < job.tasks().size() && job.tasks().get(task).state() instanceof Task.Open;
    }

    /// How many tasks are with workers and are measured.
    int running() {
        return count.get();
    }

    private void add(JobId job, int task, Running its) {
        running.compute(
                job,
                (_, before) -> {
                    var all = before == null ? new HashMap<Integer, Running>(4) : before;
                    if (all.putIfAbsent(task, its) == null) {
                        count.incrementAndGet();
                    }
                    return all;
                });
    }

    /// Takes a task out; empty if it was not measured.
    private Optional<Running> take(JobId job, int task) {
        var taken = new AtomicReference<Optional<Running>>(Optional.empty());
        running.computeIfPresent(
                job,
                (_, all) -> {
                    taken.set(Optional.ofNullable(all.remove(task)));
                    taken.get().ifPresent(_ -> count.decrementAndGet());
                    return all.isEmpty() ? null : all;
                });
        return taken.get();
    }

    private void forget(JobId job, BiPredicate<Integer, Running> which) {
        running.computeIfPresent(
                job,
                (_, all) -> {
                    var before = all.size();
                    all.entrySet().removeIf(each -> which.test(each.getKey(), each.getValue()));
                    count.addAndGet(all.size() - before);
                    return all.isEmpty() ? null : all;
                });
    }

    private void happened(Job job, JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted(int task, var lease, var _, var at) -> {
                if (hasRoom()) {
                    add(
                            job.id(),
                            task,
                            new Running(
                                    lease.token(),
                                    job.tasks().get(task).spec().type(),
                                    at,
                                    lease.timeout()));
                }
            }
            case JobEvent.TaskSucceeded(int task, var token, var _, var _, var at) -> {
                take(job.id(), task)
                        .filter(its -> its.token().equals(token))
                        .ifPresent(its -> executed(its, at));
            }
            case JobEvent.TaskFailed failed -> executed(job, failed.task(), failed.at());
            case JobEvent.AttemptFailed failed -> executed(job, failed.task(), failed.at());
            case JobEvent.LeaseLost _,
                    JobEvent.LeaseReturned _,
                    JobEvent.LeaseReleased _,
                    JobEvent.AttemptDropped _,
                    JobEvent.OutcomeUnknown _ -> {
                var _ = take(job.id(), event.task());
            }
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
        take(job.id(), task).ifPresent(its -> executed(its, at));
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

    /// Where it missed the end of a task, that counts until its time is over.
    private boolean hasRoom() {
        if (running() < MOST_RUNNING) {
            return true;
        }
        var now = clock.instant();
        if (swept.plus(BETWEEN_SWEEPS).isBefore(now)) {
            swept = now;
            running.keySet().forEach(job -> forget(job, (_, its) -> its.until().isBefore(now)));
        }
        return running() < MOST_RUNNING;
    }
}
