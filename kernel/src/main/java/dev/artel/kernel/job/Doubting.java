package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import java.time.Instant;
import java.util.Optional;

/// Decides what becomes of a task that must not be done twice, when an attempt may have had its effect.
final class Doubting {
    private static final String UNKNOWN = "OUTCOME_UNKNOWN";

    private Doubting() {}

    /// Whether nobody knows if what failed with `error` was done all the same.
    static boolean isUnknown(TaskError error) {
        return error.kind() == ErrorClass.LOST && error.code().equals(UNKNOWN);
    }

    /// Leaves the attempt under `lease` in doubt, if the task is one that must not be repeated.
    ///
    /// @param reason why nobody knows
    /// @param lingers whether the worker may still be at it
    /// @return whether it was left so
    static boolean leave(
            Deciding deciding, Task task, Lease lease, String reason, boolean lingers, Instant at) {
        if (task.spec().idempotent()) {
            return false;
        }
        var handler = reconciling(deciding.job(), task);
        if (handler.isPresent()) {
            var error = new TaskError(ErrorClass.LOST, UNKNOWN, reason);
            deciding.emit(new JobEvent.TaskFailed(task.id(), error, lingers, at));
            deciding.enter(
                    task.strand(),
                    handler.get(),
                    new StepCause.TaskEnded(task.id(), Outcomes.UNKNOWN),
                    at);
        } else {
            deciding.emit(
                    new JobEvent.OutcomeUnknown(task.id(), lease.token(), reason, lingers, at));
        }
        return true;
    }

    private static Optional<String> reconciling(Job job, Task task) {
        return job.strands().get(task.strand()).doing()
                        instanceof Strand.AwaitingTask(int _, var on)
                ? on.after(Outcomes.UNKNOWN)
                : Optional.empty();
    }

    static Decision resolve(Deciding deciding, Job job, JobCommand.ResolveTask c) {
        if (c.task() < 0 || c.task() >= job.tasks().size()) {
            return TaskDeciding.unknownTask(job, c.task());
        }
        var task = job.tasks().get(c.task());
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(
                    Reason.FINAL, job, task, "the job is already " + job.status() + " since " + at);
        }
        if (!(task.state() instanceof Task.Doubtful && job.phase() instanceof Job.Active)) {
            return refused(Reason.NOT_AWAITED, job, task, "nobody waits to know what became of it");
        }
        resolved(deciding, task, c.resolution(), c.by(), c.at());
        return deciding.accepted();
    }

    private static Decision refused(Reason reason, Job job, Task task, String why) {
        return new Decision.Rejected(
                reason,
                "job " + job.id() + ", task " + task.id() + ": it cannot be resolved: " + why);
    }

    /// The worker that was given up reports after all: it knows.
    static Decision late(Deciding deciding, Task task, Task.Doubtful doubt, JobCommand.Report c) {
        if (TaskDeciding.lingers(task, c.token())) {
            deciding.emit(new JobEvent.LeaseReleased(task.id(), c.token(), c.at()));
        }
        switch (c.report()) {
            case TaskReport.Succeeded(var status, var data) ->
                    resolved(
                            deciding,
                            task,
                            new Resolution.Happened(status, data),
                            "worker " + c.worker(),
                            c.at());
            case TaskReport.Failed(var error) ->
                    deciding.tasks()
                            .failAttempt(
                                    task,
                                    c.token(),
                                    doubt.failed(),
                                    error,
                                    false,
                                    c.random(),
                                    c.at());
            case TaskReport.Cancelled _ -> {
                // It stopped somewhere, and nobody knows where.
            }
        }
        return deciding.accepted();
    }

    private static void resolved(
            Deciding deciding, Task task, Resolution resolution, String by, Instant at) {
        deciding.emit(new JobEvent.OutcomeResolved(task.id(), resolution, by, at));
        switch (resolution) {
            case Resolution.Happened(var status, var _) ->
                    deciding.tasks().afterTask(task, status, Optional.empty(), at);
            case Resolution.DidNotHappen _ -> {
                // It is queued again.
            }
            case Resolution.Failed failed ->
                    deciding.tasks()
                            .afterTask(
                                    task,
                                    Outcomes.FAILED,
                                    Optional.of(new TaskDeciding.Failure(error(failed, by), 1)),
                                    at);
        }
    }

    static TaskError error(Resolution.Failed failed, String by) {
        return new TaskError(
                ErrorClass.PERMANENT, "RESOLVED_AS_FAILED", failed.reason() + " (said " + by + ")");
    }
}
