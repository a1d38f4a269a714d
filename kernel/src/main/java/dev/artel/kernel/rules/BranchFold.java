package dev.artel.kernel.rules;

import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinState;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.JobEvent.ApprovalDecided;
import dev.artel.kernel.job.JobEvent.ApprovalRequested;
import dev.artel.kernel.job.JobEvent.BranchEnded;
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.SignalAwaited;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.StepDone;
import dev.artel.kernel.job.JobEvent.StepFailed;
import dev.artel.kernel.job.JobEvent.StepRetried;
import dev.artel.kernel.job.JobEvent.WaitBegun;
import dev.artel.kernel.timer.Timer;
import java.time.Instant;
import java.util.Optional;

/// The part of [JobFold] that is about branches and whom they wait for.
final class BranchFold {
    private final MutableJob draft;
    private final TaskFold tasks;
    private final ChildFold children;

    BranchFold(MutableJob draft, TaskFold tasks, ChildFold children) {
        this.draft = draft;
        this.tasks = tasks;
        this.children = children;
    }

    void enter(StateEntered e) {
        draft.entered += draft.compensationLog.running().isPresent() ? 0 : 1;
        draft.compensationLog = draft.compensationLog.undeclare(e.branch());
        draft.endCompensationGrace();
        var before = draft.branches.get(e.branch());
        var cause = e.cause();
        // A step that a person has let go on has the signal for which its state was entered before.
        var taken =
                cause instanceof StepCause.Resolved
                        ? before.taken()
                        : Optional.<Signals.Received>empty();
        if (cause instanceof StepCause.SignalTaken(var signal, var sent)) {
            taken = takeSignal(signal, sent);
        } else if (cause instanceof StepCause.Overdue) {
            draft.approvalIsOver(before, new Approvals.Expired(), e.at());
        }
        // A branch that has waited is not stopped by its step, but by what it waited for.
        var isMove = cause instanceof StepCause.Moved && before.doing() instanceof Branch.Stopped;
        draft.become(
                before.entering(
                        e.state(),
                        new Branch.Stepping(draft.nextId(0), cause, 0),
                        isMove ? before.moves() + 1 : 0,
                        taken));
    }

    void stepDone(StepDone e) {
        draft.data = draft.data.merge(e.changes());
        var branch = draft.branches.get(e.branch());
        var state = e.passed().isEmpty() ? branch.state() : e.passed().getLast();
        draft.become(branch.in(state, new Branch.Stopped()));
    }

    void stepFailed(StepFailed e) {
        var branch = draft.branches.get(e.branch());
        var stepping = (Branch.Stepping) branch.doing();
        draft.become(
                branch.with(
                        e.retryAt()
                                .<Branch.Doing>map(at ->
                                        new Branch.BackingOff(
                                                new Timer(draft.nextId(0), at),
                                                stepping.cause(),
                                                stepping.failures() + 1))
                                .orElse(new Branch.Stopped())));
    }

    void stepRetried(StepRetried e) {
        var branch = draft.branches.get(e.branch());
        var waiting = (Branch.BackingOff) branch.doing();
        draft.become(
                branch.with(
                        new Branch.Stepping(draft.nextId(0), waiting.cause(), waiting.failures())));
    }

    void fork(Forked e) {
        var first = draft.branches.size();
        draft.entered += draft.compensationLog.running().isPresent() ? 0 : e.starts().size();
        for (var i = 0; i < e.starts().size(); i++) {
            var start = e.starts().get(i);
            var branch =
                    Branch.fresh(first + i, e.branch(), start, new Branch.Stopped())
                            .entering(
                                    start,
                                    new Branch.Stepping(
                                            draft.nextId(i), new StepCause.Started(), 0),
                                    0,
                                    Optional.empty());
            draft.branches = draft.branches.append(branch);
            draft.ask(branch);
        }
        var count = e.starts().size();
        draft.doing(
                e.branch(),
                new Branch.AwaitingBranches(
                        JoinState.of(first, count, count, e.policy(), e.join(), e.otherwise())));
    }

    void branchEnded(BranchEnded e) {
        var branch = draft.branches.get(e.branch());
        draft.become(branch.with(new Branch.Over(e.failure().isEmpty(), e.hopeless())));
        var parent = draft.branches.get(branch.parent());
        if (parent.id() != branch.id()
                && parent.doing() instanceof Branch.AwaitingBranches(var branches)) {
            draft.become(
                    parent.with(
                            new Branch.AwaitingBranches(
                                    e.failure().isEmpty()
                                            ? branches.afterSuccess()
                                            : branches.afterFailure())));
        }
    }

    void stopBranchesOf(int branch, Instant at) {
        if (draft.branches.get(branch).doing() instanceof Branch.AwaitingBranches(var branches)) {
            for (var i = branches.first(); i < branches.first() + branches.count(); i++) {
                if (!draft.branches.get(i).isOver()) {
                    stop(i, at);
                }
            }
        }
    }

    void stop(int id, Instant at) {
        stopBranchesOf(id, at);
        withdrawAwaitedBy(id);
        draft.approvalIsOver(draft.branches.get(id), new Approvals.Withdrawn(), at);
        draft.doing(id, new Branch.Stopped());
    }

    void beginWait(WaitBegun e) {
        draft.doing(
                e.branch(), new Branch.Waiting(new Timer(draft.nextId(0), e.until()), e.next()));
    }

    void awaitSignal(SignalAwaited e) {
        draft.doing(
                e.branch(),
                new Branch.AwaitingSignal(
                        draft.nextId(0), e.signal(), e.next(), timer(e.until()), e.otherwise()));
    }

    private Optional<Signals.Received> takeSignal(String signal, String sent) {
        var found = draft.signals.find(sent);
        found.ifPresent(taken -> {
            draft.signals = draft.signals.without(taken);
            draft.data = draft.data.with(signal, taken.payload());
        });
        return found;
    }

    /// No step asks any more for which signal its state was entered.
    void forgetSignals() {
        for (var branch : draft.branches) {
            if (branch.taken().isPresent()) {
                draft.branches = draft.branches.set(branch.id(), branch.withoutSignal());
            }
        }
    }

    void requestApproval(ApprovalRequested e) {
        draft.doing(
                e.branch(),
                new Branch.AwaitingApproval(draft.nextId(0), e.approval(), timer(e.until())));
    }

    private Optional<Timer> timer(Optional<Instant> until) {
        return until.map(at -> new Timer(draft.nextId(1), at));
    }

    void approvalDecided(ApprovalDecided e) {
        var branch = draft.branches.get(e.branch());
        draft.approvalIsOver(branch, new Approvals.Decided(e.choice(), e.by()), e.at());
        draft.data = draft.data.with(ApprovalDecider.DATA, ApprovalDecider.document(e));
        draft.become(branch.with(new Branch.Stopped()));
    }

    void withdrawAwaitedBy(int branchId) {
        switch (draft.branches.get(branchId).doing()) {
            case Branch.AwaitingTask(int task, var _) -> tasks.withdrawIfUnsettled(task);
            case Branch.AwaitingTasks(var group) -> {
                for (var i = group.first(); i < group.first() + group.count(); i++) {
                    tasks.withdrawIfUnsettled(i);
                }
            }
            case Branch.AwaitingChild(int child, var _) -> children.unwant(child);
            case Branch.AwaitingChildren(var group) -> {
                for (var i = group.first(); i < group.first() + group.count(); i++) {
                    children.unwant(i);
                }
            }
            case Branch.Stepping _,
                    Branch.BackingOff _,
                    Branch.AwaitingBranches _,
                    Branch.Waiting _,
                    Branch.AwaitingSignal _,
                    Branch.AwaitingApproval _,
                    Branch.Over _,
                    Branch.Stopped _ -> {}
        }
    }
}
