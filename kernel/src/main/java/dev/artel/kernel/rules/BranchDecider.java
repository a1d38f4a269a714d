package dev.artel.kernel.rules;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.BranchSpec;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand.FireTimer;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.Timer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Decides how branches go on: the states that they enter, the tasks and branches for which they wait, and their end, which may
/// be that of the job.
final class BranchDecider {
    private final Draft draft;
    private final Deciders deciders;

    BranchDecider(Draft draft, Deciders deciders) {
        this.draft = draft;
        this.deciders = deciders;
    }

    void enter(int branch, String state, StepCause cause, Instant at) {
        if (isTreeSpent(1)) {
            fail(branch, ChildDecider.spent(draft.job(), state), true, at);
        } else {
            draft.emit(new JobEvent.StateEntered(branch, state, cause, at));
            GuardChecks.spent(draft.job(), branch)
                    .or(() -> GuardChecks.tooMuchData(draft.job(), cause))
                    .ifPresent(reason -> fail(branch, reason, false, at));
        }
    }

    private boolean isTreeSpent(int more) {
        if (deciders.compensation().isRunning()) {
            return false;
        }
        return draft.job().isCountedAsTree()
                && draft.job().steps() + more > draft.job().stepsAllowed();
    }

    void open(int branch, TaskSpec task, Outcomes on, Instant at) {
        var affinities = new Affinities(draft.job().tasks());
        var impossible =
                GuardChecks.tooManyTasks(draft.job(), 1)
                        .or(() -> affinities.impossible(List.of(task)));
        if (impossible.isPresent()) {
            fail(branch, impossible.get(), false, at);
        } else {
            draft.emit(new JobEvent.TaskOpened(branch, affinities.settle(task), on, at));
            deciders.reuse().reuse(branch, at);
        }
    }

    void open(int branch, Action.DispatchParallel p, Instant at) {
        var affinities = new Affinities(draft.job().tasks());
        var impossible =
                GuardChecks.tooManyTasks(draft.job(), p.tasks().size())
                        .or(() -> affinities.impossible(p.tasks()));
        if (impossible.isPresent()) {
            fail(branch, impossible.get(), false, at);
            return;
        }
        var tasks = affinities.settle(p.tasks());
        var group =
                JoinState.of(
                        draft.job().tasks().size(),
                        tasks.size(),
                        p.window(),
                        p.policy(),
                        p.join(),
                        p.otherwise());
        var opened =
                new JobEvent.TasksOpened(
                        branch, tasks, p.window(), p.policy(), p.join(), p.otherwise(), at);
        begin(branch, group, opened, new StepCause.TasksJoined(group.first(), 0), at);
    }

    void fork(int branch, Action.Fork f, Instant at) {
        var starts = f.branchSpecs().stream().map(BranchSpec::start).toList();
        if (isTreeSpent(starts.size())) {
            fail(branch, ChildDecider.spent(draft.job(), starts.toString()), true, at);
            return;
        }
        var tooMany = GuardChecks.tooMany(draft.job(), branch, starts.size());
        if (tooMany.isPresent()) {
            fail(branch, tooMany.get(), false, at);
            return;
        }
        var group =
                JoinState.of(
                        draft.job().branches().size(),
                        starts.size(),
                        starts.size(),
                        f.policy(),
                        f.join(),
                        f.otherwise());
        var forked = new JobEvent.Forked(branch, starts, f.policy(), f.join(), f.otherwise(), at);
        begin(branch, group, forked, new StepCause.BranchesJoined(group.first(), 0), at);
    }

    /// Nothing is started whose outcome is known before.
    void begin(int branch, JoinState group, JobEvent start, StepCause nothing, Instant at) {
        switch (group.progress()) {
            case WAIT -> {
                draft.emit(start);
                deciders.reuse().reuse(branch, at);
            }
            case JOINED -> enter(branch, group.join(), nothing, at);
            case FAILED ->
                    orElseFail(
                            branch,
                            group,
                            nothing,
                            group.policy()
                                    + " can never be met by "
                                    + group.count()
                                    + "; start more or require fewer",
                            false,
                            at);
        }
    }

    /// @param hopeless whether nothing that a person does could recover the failure
    void end(int branch, Optional<String> failure, boolean hopeless, Instant at) {
        if (deciders.compensation().isAt(branch)) {
            deciders.compensation().compensated(failure, at);
            return;
        }
        if (branch == 0) {
            if (failure.isPresent()) {
                fail(0, failure.get(), true, at);
            } else {
                deciders.compensation().end(new JobOutcome.Finished(Payload.EMPTY), at);
            }
            return;
        }
        draft.emit(new JobEvent.BranchEnded(branch, failure, hopeless, at));
        var parent = draft.job().branches().get(draft.job().branches().get(branch).parent());
        if (parent.doing() instanceof Branch.AwaitingBranches(var branches)) {
            join(
                    parent.id(),
                    branches,
                    failure.orElseGet(() ->
                            branches.failed() + " of " + branches.count() + " branches failed"),
                    at);
        }
    }

    private void join(int branch, JoinState branches, String failure, Instant at) {
        switch (branches.progress()) {
            case WAIT -> {}
            case JOINED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(branch, at));
                enter(branch, branches.join(), joined(branches), at);
            }
            case FAILED -> {
                stopTheRest(branches, new JobEvent.BranchesStopped(branch, at));
                orElseFail(
                        branch,
                        branches,
                        joined(branches),
                        failure,
                        isHopeless(
                                branches,
                                i ->
                                        draft.job().branches().get(i).doing()
                                                        instanceof Branch.Over over
                                                && over.hopeless()),
                        at);
            }
        }
    }

    void stopTheRest(JoinState group, JobEvent event) {
        if (group.succeeded() + group.failed() < group.count()) {
            draft.emit(event);
        }
    }

    private static StepCause joined(JoinState branches) {
        return new StepCause.BranchesJoined(branches.first(), branches.count());
    }

    void orElseFail(
            int branch,
            JoinState group,
            StepCause cause,
            String failure,
            boolean hopeless,
            Instant at) {
        if (group.otherwise().isPresent()) {
            enter(branch, group.otherwise().get(), cause, at);
        } else {
            fail(branch, failure, hopeless, at);
        }
    }

    /// Whether the policy could not be met even if every member that may be recovered had succeeded.
    static boolean isHopeless(JoinState group, IntPredicate isHopeless) {
        var lost =
                (int)
                        IntStream.range(group.first(), group.first() + group.count())
                                .filter(isHopeless)
                                .count();
        return JoinPolicy.judge(group.policy(), group.count(), group.count() - lost, lost)
                == JoinPolicy.Progress.FAILED;
    }

    /// A branch cannot go on: a branch ends badly; for branch 0 the job fails, or waits for a person.
    void fail(int branch, String reason, boolean hopeless, Instant at) {
        if (deciders.compensation().isAt(branch)) {
            deciders.compensation().compensated(Optional.of(reason), at);
            return;
        }
        if (branch != 0) {
            end(branch, Optional.of(reason), hopeless, at);
        } else if (hopeless) {
            deciders.compensation().end(new JobOutcome.Failed(reason), at);
        } else if (!(draft.job().phase() instanceof Job.Quarantined)) {
            draft.emit(new JobEvent.JobQuarantined(reason, at));
        }
    }

    boolean timer(Job job, int id, FireTimer c) {
        if (!job.goesOn() || id < 0 || id >= job.branches().size()) {
            return false;
        }
        switch (job.branches().get(id).doing()) {
            case Branch.BackingOff(var timer, var _, int _) when timer.id().equals(c.timer()) ->
                    draft.emit(new JobEvent.StepRetried(id, c.at()));
            case Branch.Waiting(var timer, var next) when timer.id().equals(c.timer()) ->
                    enter(id, next, new StepCause.Moved(job.branches().get(id).state()), c.at());
            case Branch.AwaitingSignal(var _, var signal, var _, var timer, var otherwise)
                    when isOf(timer, c) ->
                    enter(id, otherwise.orElseThrow(), new StepCause.Overdue(signal), c.at());
            case Branch.AwaitingApproval(var _, var approval, var timer) when isOf(timer, c) ->
                    enter(
                            id,
                            approval.otherwise().orElseThrow(),
                            new StepCause.Overdue(ApprovalDecider.DATA),
                            c.at());
            case Branch.BackingOff _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Stepping _,
                    Branch.AwaitingTask _,
                    Branch.AwaitingTasks _,
                    Branch.AwaitingBranches _,
                    Branch.AwaitingChild _,
                    Branch.AwaitingChildren _,
                    Branch.Over _,
                    Branch.Stopped _ -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isOf(Optional<Timer> timer, FireTimer c) {
        return timer.filter(set -> set.id().equals(c.timer())).isPresent();
    }
}
