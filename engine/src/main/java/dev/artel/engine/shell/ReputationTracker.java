package dev.artel.engine.shell;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.TaskError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// Gathers how the attempts of workers end, from what is durable. Safe for use by many threads.
///
/// Not every end counts for or against the worker: errors that no other worker would avoid do not, nor do hand-outs that
/// it never had, nor a task that it gives up because it is being stopped.
final class ReputationTracker implements JobObserver {
    private static final String GIVEN_UP = "CANCELLED_BY_WORKER";

    private final BiConsumer<WorkerId, Outcome> judged;
    private final ConcurrentMap<WorkerId, Reputation> joined = new ConcurrentHashMap<>();

    /// Who has which task. One thread at a time calls it about a job.
    private final ConcurrentMap<JobId, Map<Integer, WorkerId>> holders = new ConcurrentHashMap<>();

    /// Where two are at a task, who had it before, and the lease of the other.
    private final ConcurrentMap<JobId, Map<Integer, Second>> seconds = new ConcurrentHashMap<>();

    private record Second(LeaseToken token, WorkerId first) {}

    /// @param judged receives each end of an attempt that counts; must not wait
    ReputationTracker(BiConsumer<WorkerId, Outcome> judged) {
        this.judged = judged;
    }

    /// What was gathered since the last call.
    Map<WorkerId, Reputation> take() {
        var taken = new LinkedHashMap<WorkerId, Reputation>();
        for (var worker : joined.keySet()) {
            var reputation = joined.remove(worker);
            if (reputation != null) {
                taken.put(worker, reputation);
            }
        }
        return taken;
    }

    /// Takes back what could not be written down.
    void putBack(Map<WorkerId, Reputation> taken) {
        taken.forEach((worker, earlier) ->
                joined.merge(worker, earlier, (later, _) -> earlier.after(later)));
    }

    @Override
    public void heldBefore(JobId job, int task, WorkerId worker) {
        holders.computeIfAbsent(job, _ -> new ConcurrentHashMap<>()).putIfAbsent(task, worker);
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        for (var event : events) {
            if (event instanceof JobEvent.AttemptEvent attempt) {
                happened(job, attempt);
            } else if (event instanceof JobEvent.JobEnded) {
                holders.remove(job.id());
                seconds.remove(job.id());
            }
        }
    }

    private void happened(Job job, JobEvent.AttemptEvent event) {
        switch (event) {
            case JobEvent.LeaseGranted(int task, var lease, var _, var _) -> {
                var held = holders.computeIfAbsent(job.id(), _ -> new ConcurrentHashMap<>());
                var first = held.put(task, lease.worker());
                if (first != null) {
                    seconds.computeIfAbsent(job.id(), _ -> new ConcurrentHashMap<>())
                            .put(task, new Second(lease.token(), first));
                }
            }
            case JobEvent.TaskSucceeded success -> {
                var first = secondOf(job, success.task());
                if (first != null && !first.token().equals(success.token())) {
                    holds(job, success.task(), first.first());
                }
                judge(job, success.task(), Outcome.SUCCEEDED);
            }
            case JobEvent.AttemptDropped dropped -> dropped(job, dropped);
            case JobEvent.AttemptFailed failure ->
                    judge(job, failure.task(), outcome(failure.error()));
            case JobEvent.TaskFailed failure ->
                    judge(job, failure.task(), outcome(failure.error()));
            case JobEvent.LeaseLost loss ->
                    judge(
                            job,
                            loss.task(),
                            loss.reason() == LeaseEnd.Lost.UNCONFIRMED ? null : Outcome.LOST);
            case JobEvent.OutcomeUnknown unknown -> judge(job, unknown.task(), Outcome.LOST);
            case JobEvent.LeaseReturned(int task, var _, var _, var _, var _) ->
                    judge(job, task, null);
            case JobEvent.HedgeBegun _,
                    JobEvent.LeaseReleased _,
                    JobEvent.AttemptSettled _,
                    JobEvent.AttemptWithheld _,
                    JobEvent.QuestionAsked _,
                    JobEvent.QuestionAnswered _,
                    JobEvent.OutcomeResolved _ -> {
                // counts neither for nor against a worker
            }
        }
    }

    /// Of two that are at a task, one is it no more; only one that took too long is judged.
    private void dropped(Job job, JobEvent.AttemptDropped dropped) {
        var two = secondOf(job, dropped.task());
        if (two == null) {
            return;
        }
        var isSecond = two.token().equals(dropped.token());
        var second = holders.getOrDefault(job.id(), Map.of()).get(dropped.task());
        if (!isSecond) {
            holds(job, dropped.task(), two.first());
        }
        judge(job, dropped.task(), dropped.lingers() ? Outcome.LOST : null);
        var left = isSecond ? two.first() : second;
        if (left != null) {
            holds(job, dropped.task(), left);
        }
    }

    private @Nullable Second secondOf(Job job, int task) {
        var tasks = seconds.get(job.id());
        return tasks == null ? null : tasks.remove(task);
    }

    private void holds(Job job, int task, WorkerId worker) {
        holders.computeIfAbsent(job.id(), _ -> new ConcurrentHashMap<>()).put(task, worker);
    }

    private static @Nullable Outcome outcome(TaskError error) {
        return switch (error.kind()) {
            case TRANSIENT -> error.code().equals(GIVEN_UP) ? null : Outcome.FAILED;
            case EXECUTION_TIMEOUT ->
                    error.code().equals(Question.UNANSWERED) ? null : Outcome.LOST;
            case PERMANENT, INVALID_INPUT, DISPATCH_TIMEOUT, LOST -> null;
        };
    }

    private void judge(Job job, int task, @Nullable Outcome outcome) {
        var tasks = holders.get(job.id());
        var worker = tasks == null ? null : tasks.remove(task);
        if (worker != null && outcome != null) {
            joined.merge(worker, Reputation.NEW.after(outcome), Reputation::after);
            judged.accept(worker, outcome);
        }
    }
}
