package dev.artel.kernel.job;

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
import java.time.Instant;
import java.util.Optional;

/// The part of [Folding] that is about strands and whom they wait for.
final class StrandFolding {
    private final JobDraft draft;
    private final TaskFolding tasks;
    private final FamilyFolding family;

    StrandFolding(JobDraft draft, TaskFolding tasks, FamilyFolding family) {
        this.draft = draft;
        this.tasks = tasks;
        this.family = family;
    }

    void enter(StateEntered e) {
        draft.entered += draft.undo.running().isPresent() ? 0 : 1;
        draft.undo = draft.undo.undeclare(e.strand());
        draft.endUndoGrace();
        var before = draft.strands.get(e.strand());
        var cause = e.cause();
        if (cause instanceof StepCause.SignalTaken(var signal, var sent)) {
            takeSignal(before.id(), signal, sent);
        } else if (cause instanceof StepCause.Overdue) {
            draft.approvalIsOver(before, new Approvals.Expired(), e.at());
        }
        // A strand that has waited is not stopped by its step, but by what it waited for.
        var isMove = cause instanceof StepCause.Moved && before.doing() instanceof Strand.Stopped;
        draft.become(
                before.entering(
                        e.state(),
                        new Strand.Stepping(draft.nextId(0), cause, 0),
                        isMove ? before.moves() + 1 : 0));
    }

    void stepDone(StepDone e) {
        draft.data = draft.data.merge(e.changes());
        var strand = draft.strands.get(e.strand());
        var state = e.passed().isEmpty() ? strand.state() : e.passed().getLast();
        draft.become(strand.in(state, new Strand.Stopped()));
    }

    void stepFailed(StepFailed e) {
        var strand = draft.strands.get(e.strand());
        var stepping = (Strand.Stepping) strand.doing();
        draft.become(
                strand.with(
                        e.retryAt()
                                .<Strand.Doing>map(at ->
                                        new Strand.BackingOff(
                                                new Alarm(draft.nextId(0), at),
                                                stepping.cause(),
                                                stepping.failures() + 1))
                                .orElse(new Strand.Stopped())));
    }

    void stepRetried(StepRetried e) {
        var strand = draft.strands.get(e.strand());
        var waiting = (Strand.BackingOff) strand.doing();
        draft.become(
                strand.with(
                        new Strand.Stepping(draft.nextId(0), waiting.cause(), waiting.failures())));
    }

    void fork(Forked e) {
        var first = draft.strands.size();
        draft.entered += draft.undo.running().isPresent() ? 0 : e.starts().size();
        for (var i = 0; i < e.starts().size(); i++) {
            var start = e.starts().get(i);
            var branch =
                    Strand.fresh(first + i, e.strand(), start, new Strand.Stopped())
                            .entering(
                                    start,
                                    new Strand.Stepping(
                                            draft.nextId(i), new StepCause.Started(), 0),
                                    0);
            draft.strands = draft.strands.append(branch);
            draft.ask(branch);
        }
        var count = e.starts().size();
        draft.doing(
                e.strand(),
                new Strand.AwaitingBranches(
                        Gathering.of(first, count, count, e.policy(), e.join(), e.otherwise())));
    }

    void branchEnded(BranchEnded e) {
        var strand = draft.strands.get(e.strand());
        draft.become(strand.with(new Strand.Over(e.failure().isEmpty(), e.hopeless())));
        var parent = draft.strands.get(strand.parent());
        if (parent.id() != strand.id()
                && parent.doing() instanceof Strand.AwaitingBranches(var branches)) {
            draft.become(
                    parent.with(
                            new Strand.AwaitingBranches(
                                    e.failure().isEmpty()
                                            ? branches.afterSuccess()
                                            : branches.afterFailure())));
        }
    }

    void stopBranchesOf(int strand, Instant at) {
        if (draft.strands.get(strand).doing() instanceof Strand.AwaitingBranches(var branches)) {
            for (var i = branches.first(); i < branches.first() + branches.count(); i++) {
                if (!draft.strands.get(i).isOver()) {
                    stop(i, at);
                }
            }
        }
    }

    void stop(int id, Instant at) {
        stopBranchesOf(id, at);
        withdrawAwaitedBy(id);
        draft.approvalIsOver(draft.strands.get(id), new Approvals.Withdrawn(), at);
        draft.doing(id, new Strand.Stopped());
    }

    void beginWait(WaitBegun e) {
        draft.doing(
                e.strand(), new Strand.Waiting(new Alarm(draft.nextId(0), e.until()), e.next()));
    }

    void awaitSignal(SignalAwaited e) {
        draft.doing(
                e.strand(),
                new Strand.AwaitingSignal(
                        draft.nextId(0), e.signal(), e.next(), alarm(e.until()), e.otherwise()));
    }

    private void takeSignal(int strand, String signal, String sent) {
        draft.signals = draft.signals.takenBy(strand, sent);
        var taken = draft.signals.taken().get(strand);
        if (taken != null) {
            draft.data = draft.data.with(signal, taken.payload());
        }
    }

    void requestApproval(ApprovalRequested e) {
        draft.doing(
                e.strand(),
                new Strand.AwaitingApproval(draft.nextId(0), e.approval(), alarm(e.until())));
    }

    private Optional<Alarm> alarm(Optional<Instant> until) {
        return until.map(at -> new Alarm(draft.nextId(1), at));
    }

    void approvalDecided(ApprovalDecided e) {
        var strand = draft.strands.get(e.strand());
        draft.approvalIsOver(strand, new Approvals.Decided(e.choice(), e.by()), e.at());
        draft.data = draft.data.with(Approving.DATA, Approving.document(e));
        draft.become(strand.with(new Strand.Stopped()));
    }

    void withdrawAwaitedBy(int strandId) {
        switch (draft.strands.get(strandId).doing()) {
            case Strand.AwaitingTask(int task, var _) -> tasks.withdrawIfUnsettled(task);
            case Strand.AwaitingTasks(var group) -> {
                for (var i = group.first(); i < group.first() + group.count(); i++) {
                    tasks.withdrawIfUnsettled(i);
                }
            }
            case Strand.AwaitingChild(int child, var _) -> family.unwant(child);
            case Strand.AwaitingChildren(var group) -> {
                for (var i = group.first(); i < group.first() + group.count(); i++) {
                    family.unwant(i);
                }
            }
            case Strand.Stepping _,
                    Strand.BackingOff _,
                    Strand.AwaitingBranches _,
                    Strand.Waiting _,
                    Strand.AwaitingSignal _,
                    Strand.AwaitingApproval _,
                    Strand.Over _,
                    Strand.Stopped _ -> {}
        }
    }
}
