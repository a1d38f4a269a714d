package dev.artel.kernel.rules;

import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.Cancel;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.Task;
import java.time.Instant;
import java.util.Optional;

/// Decides what comes of a cancel, and when the wait is over for the workers and children that have to give up.
final class CancelDecider {
    private final Draft draft;
    private final Deciders deciders;

    CancelDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision cancel(Job job, Cancel c) {
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    new Decision.Rejected(
                            Reason.FINAL,
                            "job "
                                    + job.id()
                                    + " is already "
                                    + job.status()
                                    + " since "
                                    + at
                                    + "; nothing to cancel");
            case Job.Cancelling _ -> draft.accepted();
            case Job.Active _
                    when deciders.compensation().isRunning()
                            && !deciders.compensation().isForGoingBack() ->
                    draft.accepted();
            case Job.Active _, Job.Quarantined _ -> {
                var next = cancelState(job);
                if (job.leased() + job.lingering() + job.children().leaving() == 0
                        && !job.children().isWaiting()
                        && cancelledState(job).isEmpty()
                        && next.isEmpty()) {
                    deciders.compensation().end(new JobOutcome.Cancelled(c.reason()), c.at());
                } else {
                    var grace = c.at().plus(job.spec().options().cancelGrace());
                    draft.emit(new JobEvent.CancelRequested(c.reason(), grace, next, c.at()));
                    if (draft.job().lingering() == 0 && draft.job().children().leaving() == 0) {
                        finish(c.reason(), c.at());
                    }
                }
                yield draft.accepted();
            }
        };
    }

    boolean grace(Job job, FireTimer c) {
        if (job.phase() instanceof Job.Cancelling(var reason, var grace, var _)
                && grace.id().equals(c.timer())) {
            finish(reason, c.at());
            return true;
        }
        return deciders.compensation().grace(c.timer(), c.at());
    }

    /// The last of those for whom a job waits before it ends may be gone.
    void left(Instant at) {
        if (draft.job().lingering() > 0 || draft.job().children().leaving() > 0) {
            return;
        }
        if (draft.job().phase() instanceof Job.Cancelling(var reason, var _, var _)) {
            finish(reason, at);
        } else {
            deciders.compensation().left(at);
        }
    }

    private void finish(String reason, Instant at) {
        var next = cancelledState(draft.job());
        if (next.isPresent()) {
            var task = ((Branch.AwaitingTask) draft.job().branches().get(0).doing()).task();
            draft.emit(new JobEvent.CancelHandled(at));
            deciders.branches()
                    .enter(0, next.get(), new StepCause.TaskEnded(task, Outcomes.CANCELLED), at);
        } else if (draft.job().phase() instanceof Job.Cancelling(var _, var _, var state)
                && state.isPresent()) {
            draft.emit(new JobEvent.CancelHandled(at));
            deciders.branches().enter(0, state.get(), new StepCause.Cancelled(reason), at);
        } else {
            deciders.compensation().end(new JobOutcome.Cancelled(reason), at);
        }
    }

    /// The state that handles a cancel of `job`, as its blueprint names it. A job that could not go on does not go on to be cancelled.
    private Optional<String> cancelState(Job job) {
        return job.phase() instanceof Job.Active(boolean cancelHandled)
                        && !cancelHandled
                        && !deciders.compensation().isRunning()
                ? job.spec().cancelState()
                : Optional.empty();
    }

    /// A task that failed before, so that its job is quarantined, is not what is cancelled.
    private static Optional<String> cancelledState(Job job) {
        return job.branches().get(0).doing() instanceof Branch.AwaitingTask(int task, var on)
                        && !(job.tasks().get(task).state() instanceof Task.Failed)
                ? on.after(Outcomes.CANCELLED)
                : Optional.empty();
    }
}
