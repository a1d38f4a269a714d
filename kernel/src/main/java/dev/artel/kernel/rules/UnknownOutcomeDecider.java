package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Resolution;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import java.time.Instant;
import java.util.Optional;

/// Decides what becomes of a task that must not be done twice, when an attempt may have had its effect.
final class UnknownOutcomeDecider {
    private static final String UNKNOWN = "OUTCOME_UNKNOWN";

    private final Draft draft;
    private final Deciders deciders;

    UnknownOutcomeDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    /// Whether it is unknown if what failed with `error` was done all the same.
    static boolean isUnknown(TaskError error) {
        return error.kind() == ErrorClass.LOST && error.code().equals(UNKNOWN);
    }

    /// Leaves the attempt under `lease` in doubt, if the task is one that must not be repeated.
    ///
    /// @param reason why it is unknown
    /// @param lingers whether the worker may still be at it
    /// @return whether it was left so
    boolean leave(Task task, Lease lease, String reason, boolean lingers, Instant at) {
        if (task.spec().idempotent()) {
            return false;
        }
        var handler = reconciling(draft.job(), task);
        if (handler.isPresent()) {
            var error = new TaskError(ErrorClass.LOST, UNKNOWN, reason);
            draft.emit(new JobEvent.TaskFailed(task.id(), error, lingers, at));
            deciders.branches()
                    .enter(
                            task.branch(),
                            handler.get(),
                            new StepCause.TaskEnded(task.id(), Outcomes.UNKNOWN),
                            at);
        } else {
            draft.emit(new JobEvent.OutcomeUnknown(task.id(), lease.token(), reason, lingers, at));
        }
        return true;
    }

    private static Optional<String> reconciling(Job job, Task task) {
        return job.branches().get(task.branch()).doing()
                        instanceof Branch.AwaitingTask(int _, var on)
                ? on.after(Outcomes.UNKNOWN)
                : Optional.empty();
    }

    Decision resolve(Job job, JobCommand.ResolveTask c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return TaskDecider.unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(
                    Reason.FINAL, job, task, "the job is already " + job.status() + " since " + at);
        }
        if (!(task.state() instanceof Task.Doubtful && job.phase() instanceof Job.Active)) {
            return refused(Reason.NOT_AWAITED, job, task, "its outcome is not in question");
        }
        resolved(task, c.resolution(), c.by(), c.at());
        return draft.accepted();
    }

    private static Decision refused(Reason reason, Job job, Task task, String why) {
        return new Decision.Rejected(
                reason,
                "job " + job.id() + ", task " + task.id() + ": it cannot be resolved: " + why);
    }

    /// The worker that was given up reports after all: it knows.
    Decision late(Task task, Task.Doubtful doubt, JobCommand.Report c) {
        if (TaskDecider.lingers(task, c.token())) {
            draft.emit(new JobEvent.LeaseReleased(task.id(), c.token(), c.at()));
        }
        if (!(c.report() instanceof TaskReport.Cancelled)) {
            deciders.budgets().settle(draft.job(), task, doubt.lease(), c);
        }
        switch (c.report()) {
            case TaskReport.Succeeded(var status, var data) ->
                    resolved(
                            task,
                            new Resolution.Happened(status, data),
                            "worker " + c.worker(),
                            c.at());
            case TaskReport.Failed(var error) ->
                    deciders.tasks()
                            .failAttempt(
                                    task,
                                    c.token(),
                                    doubt.failed(),
                                    error,
                                    false,
                                    c.random(),
                                    c.at());
            case TaskReport.Cancelled _ -> {
                // It stopped at an unknown place.
            }
        }
        return draft.accepted();
    }

    private void resolved(Task task, Resolution resolution, String by, Instant at) {
        draft.emit(new JobEvent.OutcomeResolved(task.id(), resolution, by, at));
        switch (resolution) {
            case Resolution.Happened(var status, var _) ->
                    deciders.tasks().afterTask(task, status, Optional.empty(), at);
            case Resolution.DidNotHappen _ -> {
                // It is queued again.
            }
            case Resolution.Failed failed ->
                    deciders.tasks()
                            .afterTask(
                                    task,
                                    Outcomes.FAILED,
                                    Optional.of(new TaskDecider.Failure(error(failed, by), 1)),
                                    at);
        }
    }

    static TaskError error(Resolution.Failed failed, String by) {
        return new TaskError(
                ErrorClass.PERMANENT,
                "RESOLVED_AS_FAILED",
                failed.reason() + " (reported by " + by + ")");
    }
}
