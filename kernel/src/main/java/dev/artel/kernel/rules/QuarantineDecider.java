package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.BranchSpec;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.task.JobData;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;

/// Decides what comes of what people do about quarantined jobs.
final class QuarantineDecider {
    private static final String GIVEN_UP =
            "its parent took its quarantine for its end and has gone on, with the steps that were left;"
                    + " fork it, or discard it";

    private final Draft draft;
    private final Deciders deciders;

    QuarantineDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    Decision resolve(Job job, JobCommand.ResolveQuarantine c) {
        if (job.phase() instanceof Job.Ended(var _, var at)) {
            return refused(Reason.FINAL, job, c, "it is already " + job.status() + " since " + at);
        }
        if (!(job.phase() instanceof Job.Quarantined(var reason, var _))) {
            return refused(Reason.NOT_AWAITED, job, c, "it is not quarantined but " + job.status());
        }
        if (job.isGivenUp() && !(c.how() instanceof QuarantineAction.Discard)) {
            return refused(Reason.NOT_AWAITED, job, c, GIVEN_UP);
        }
        var branch = job.branches().get(0);
        var resolved = new JobEvent.QuarantineResolved(c.how(), c.by(), c.at());
        return switch (c.how()) {
            case QuarantineAction.Release _ -> {
                draft.emit(resolved);
                release(job, c);
                yield draft.accepted();
            }
            case QuarantineAction.Retry _ -> {
                draft.emit(resolved);
                enter(branch.state(), c);
                yield draft.accepted();
            }
            case QuarantineAction.Skip skip -> {
                var next = after(branch, skip.status());
                if (next.isEmpty()) {
                    yield refused(Reason.NOT_AWAITED, job, c, whyNoState(branch, skip.status()));
                }
                draft.emit(resolved);
                deciders.branches().enter(0, next.get(), skipped(branch, c), c.at());
                yield draft.accepted();
            }
            case QuarantineAction.Discard(var why) -> {
                draft.emit(resolved);
                deciders.compensation().end(discarded(why, c.by(), reason), c.at());
                yield draft.accepted();
            }
        };
    }

    private void release(Job job, JobCommand.ResolveQuarantine c) {
        var branch = job.branches().get(0);
        switch (branch.doing()) {
            case Branch.AwaitingTask(int task, var on) ->
                    deciders.branches().open(0, job.tasks().get(task).spec(), on, c.at());
            case Branch.AwaitingTasks(var group) -> deciders.reuse().again(0, group, c.at());
            case Branch.AwaitingBranches(var group) -> resume(group, c.at());
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    enter(branch.state(), c);
        }
    }

    /// Branches go on for those that have not succeeded, in the states in which they ended.
    private void resume(JoinState group, Instant at) {
        var left =
                IntStream.range(group.first(), group.first() + group.count())
                        .mapToObj(draft.job().branches()::get)
                        .filter(branch ->
                                !(branch.doing() instanceof Branch.Over(boolean well, boolean _)
                                        && well))
                        .map(branch -> new BranchSpec(branch.state()))
                        .toList();
        deciders.branches()
                .fork(
                        0,
                        new Action.Fork(
                                left,
                                JoinPolicy.rest(group.policy(), group.succeeded()),
                                group.join(),
                                group.otherwise(),
                                JobData.EMPTY),
                        at);
    }

    /// The handler that joins gets what there is.
    private static StepCause skipped(Branch branch, JobCommand.ResolveQuarantine c) {
        return switch (branch.doing()) {
            case Branch.AwaitingTasks(var group) ->
                    new StepCause.TasksJoined(group.first(), group.count());
            case Branch.AwaitingBranches(var group) ->
                    new StepCause.BranchesJoined(group.first(), group.count());
            case Branch.AwaitingChildren(var group) ->
                    new StepCause.ChildrenJoined(group.first(), group.count());
            case Branch.AwaitingTask _,
                    Branch.AwaitingChild _,
                    Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    new StepCause.Resolved(c.how().text(), c.by());
        };
    }

    /// A job that waits or is quarantined goes back; whatever it is about is stopped.
    Decision rewind(Job job, JobCommand.Rewind c) {
        var what = "job " + job.id() + " cannot be rewound: ";
        return switch (job.phase()) {
            case Job.Ended(var _, var at) ->
                    new Decision.Rejected(
                            Reason.FINAL,
                            what
                                    + "it is already "
                                    + job.status()
                                    + " since "
                                    + at
                                    + ", and a job that is over stays so; submit it anew");
            case Job.Cancelling _ ->
                    new Decision.Rejected(Reason.NOT_AWAITED, what + "it is being cancelled");
            case Job.Quarantined _ when job.isGivenUp() ->
                    new Decision.Rejected(Reason.NOT_AWAITED, what + GIVEN_UP);
            case Job.Active _ when job.compensationLog().running().isPresent() ->
                    new Decision.Rejected(
                            Reason.NOT_AWAITED, what + "what it did is being compensated");
            case Job.Active _, Job.Quarantined _ when c.to().run() != job.guardBaseline().run() ->
                    new Decision.Rejected(
                            Reason.NOT_AWAITED,
                            what
                                    + "it has continued as new since it was in state '"
                                    + c.to().state()
                                    + "'; look at it again");
            case Job.Active _, Job.Quarantined _ -> {
                deciders.compensation().back(c.to(), c.by(), c.at());
                yield draft.accepted();
            }
        };
    }

    private static JobOutcome discarded(String why, String by, String reason) {
        return new JobOutcome.Failed(
                "discarded by " + by + " (" + why + "); it was quarantined: " + reason);
    }

    private void enter(String state, JobCommand.ResolveQuarantine c) {
        deciders.branches().enter(0, state, new StepCause.Resolved(c.how().text(), c.by()), c.at());
    }

    private static Optional<String> after(Branch branch, String status) {
        return switch (branch.doing()) {
            case Branch.AwaitingTask(int _, var on) -> on.after(status);
            case Branch.AwaitingChild(int _, var on) -> on.after(status);
            case Branch.AwaitingTasks(var group) -> Optional.of(group.join());
            case Branch.AwaitingBranches(var group) -> Optional.of(group.join());
            case Branch.AwaitingChildren(var group) -> Optional.of(group.join());
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ ->
                    Optional.empty();
        };
    }

    private static String whyNoState(Branch branch, String status) {
        return branch.doing() instanceof Branch.AwaitingTask(int task, var on)
                ? "no state follows '"
                        + status
                        + "' of task "
                        + task
                        + "; take one of "
                        + on.states().sequencedKeySet()
                : branch.doing() instanceof Branch.Stepping
                        ? "it was stopped before the handler of state "
                                + branch.state()
                                + " ran, and what follows it is not defined; release it"
                        : "it was the handler of state "
                                + branch.state()
                                + " that failed, and what follows it is not defined; retry it";
    }

    private static Decision refused(
            Reason reason, Job job, JobCommand.ResolveQuarantine c, String why) {
        return new Decision.Rejected(
                reason, "job " + job.id() + " cannot be " + c.how().text() + ": " + why);
    }
}
