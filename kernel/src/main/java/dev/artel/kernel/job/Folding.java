package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.job.JobEvent.ApprovalDecided;
import dev.artel.kernel.job.JobEvent.ApprovalRequested;
import dev.artel.kernel.job.JobEvent.AttemptDropped;
import dev.artel.kernel.job.JobEvent.AttemptFailed;
import dev.artel.kernel.job.JobEvent.BranchEnded;
import dev.artel.kernel.job.JobEvent.BranchesStopped;
import dev.artel.kernel.job.JobEvent.CancelHandled;
import dev.artel.kernel.job.JobEvent.CancelRequested;
import dev.artel.kernel.job.JobEvent.ChildEnded;
import dev.artel.kernel.job.JobEvent.ChildRefused;
import dev.artel.kernel.job.JobEvent.ChildRequested;
import dev.artel.kernel.job.JobEvent.ChildStarted;
import dev.artel.kernel.job.JobEvent.ChildStopped;
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobForked;
import dev.artel.kernel.job.JobEvent.JobMended;
import dev.artel.kernel.job.JobEvent.JobQuarantined;
import dev.artel.kernel.job.JobEvent.JobRewound;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.ParentInformed;
import dev.artel.kernel.job.JobEvent.SignalAwaited;
import dev.artel.kernel.job.JobEvent.SignalReceived;
import dev.artel.kernel.job.JobEvent.StateEntered;
import dev.artel.kernel.job.JobEvent.StepDone;
import dev.artel.kernel.job.JobEvent.StepFailed;
import dev.artel.kernel.job.JobEvent.StepRetried;
import dev.artel.kernel.job.JobEvent.TaskFailed;
import dev.artel.kernel.job.JobEvent.TaskOpened;
import dev.artel.kernel.job.JobEvent.TaskReused;
import dev.artel.kernel.job.JobEvent.TaskSucceeded;
import dev.artel.kernel.job.JobEvent.TasksOpened;
import dev.artel.kernel.job.JobEvent.TasksWithdrawn;
import dev.artel.kernel.job.JobEvent.UndoBegun;
import dev.artel.kernel.job.JobEvent.UndoDeclared;
import dev.artel.kernel.job.JobEvent.Undone;
import dev.artel.kernel.job.JobEvent.WaitBegun;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.List;
import java.util.Optional;

/// Applies events to a job one by one and notes the effects that each asks for, and answers or withdraws.
///
/// One row per event, no rule: whether an event may happen is decided before. What concerns the job as a whole is done
/// here, the rest by the parts for strands, tasks, leases, questions, children and undoing. Not safe for use by many threads.
final class Folding {
    private final JobDraft draft;
    private final FamilyFolding family;
    private final LeaseFolding leases;
    private final QuestionFolding questions;
    private final TaskFolding tasks;
    private final StrandFolding strands;
    private final UndoFolding undo;

    Folding(JobState state) {
        draft = new JobDraft(state);
        family = new FamilyFolding(draft);
        leases = new LeaseFolding(draft);
        questions = new QuestionFolding(draft, leases);
        tasks = new TaskFolding(draft, leases);
        strands = new StrandFolding(draft, tasks, family);
        undo = new UndoFolding(draft, tasks, family);
    }

    JobState state() {
        return draft.state();
    }

    /// The job, which must have been submitted.
    Job job() {
        return draft.job();
    }

    List<Effect> asked() {
        return draft.asked;
    }

    List<Effect> ended() {
        return draft.ended;
    }

    void apply(JobEvent event) {
        draft.version++;
        switch (event) {
            case JobSubmitted e -> submit(e);
            case StateEntered e -> strands.enter(e);
            case StepDone e -> strands.stepDone(e);
            case StepFailed e -> strands.stepFailed(e);
            case StepRetried e -> strands.stepRetried(e);
            case TaskOpened e -> tasks.open(e);
            case TasksOpened e -> tasks.open(e);
            case LeaseGranted e -> leases.grant(e);
            case AttemptFailed e -> leases.attemptFailed(e);
            case HedgeBegun e -> leases.beginHedge(e);
            case AttemptDropped e -> leases.dropped(e);
            case LeaseLost e -> leases.lost(e);
            case LeaseReturned e -> leases.returned(e);
            case LeaseReleased e -> leases.released(e);
            case TaskSucceeded e -> tasks.succeeded(e);
            case TaskFailed e -> tasks.failed(e);
            case OutcomeUnknown e -> tasks.unknown(e);
            case OutcomeResolved e -> tasks.resolved(e);
            case JobEvent.QuestionAsked e -> questions.asked(e);
            case JobEvent.QuestionAnswered e -> questions.answered(e);
            case TasksWithdrawn e -> strands.withdrawAwaitedBy(e.strand());
            case Forked e -> strands.fork(e);
            case BranchEnded e -> strands.branchEnded(e);
            case BranchesStopped e -> strands.stopBranchesOf(e.strand(), e.at());
            case WaitBegun e -> strands.beginWait(e);
            case SignalAwaited e -> strands.awaitSignal(e);
            case SignalReceived(var signal, var sent, var payload, var sender, var at) ->
                    draft.signals =
                            draft.signals.with(
                                    new Signals.Received(signal, sent, payload, sender, at));
            case ApprovalRequested e -> strands.requestApproval(e);
            case ApprovalDecided e -> strands.approvalDecided(e);
            case ChildRequested e -> family.request(e);
            case JobEvent.ChildrenRequested e -> family.requestAll(e);
            case JobEvent.ChildrenWithdrawn e -> strands.withdrawAwaitedBy(e.strand());
            case ChildStarted e -> family.started(e.child());
            case ChildRefused e -> family.refused(e);
            case ChildEnded e -> family.ended(e);
            case ChildStopped e -> family.stopped(e.child());
            case ParentInformed _ -> family.withdrawTelling();
            case UndoDeclared e -> undo.declare(e);
            case UndoBegun e -> undo.begin(e);
            case Undone e -> {
                strands.stop(draft.undo.running().orElseThrow().strand(), e.at());
                draft.undo = draft.undo.undone(e.failure());
            }
            case CancelRequested e -> cancel(e);
            case CancelHandled _ -> {
                draft.phase(new Job.Active());
                allowAgain();
            }
            case JobQuarantined e -> quarantine(e);
            case JobForked e -> {
                draft.data = e.data();
                draft.recorded = e.recorded();
            }
            case TaskReused e -> tasks.reused(e);
            case JobMended e -> mended(e);
            case JobRewound e -> rewound(e);
            case JobEvent.JobContinued e -> continued(e);
            case JobEnded e -> end(e);
            case JobEvent.WebhookDelivered e ->
                    draft.notices = Notifying.delivered(draft.notices, e, draft.ended);
            case JobEvent.WebhookGivenUp e ->
                    draft.notices = Notifying.givenUp(draft.notices, e, draft.ended);
        }
        draft.notices =
                Notifying.after(
                        draft.notices, draft.spec().options(), event, draft.version, draft.asked);
    }

    private void submit(JobSubmitted e) {
        draft.submission = e;
        draft.strands =
                draft.strands.append(Strand.fresh(0, 0, e.spec().start(), new Strand.Stopped()));
        draft.deadline = e.spec().options().deadline().map(at -> new Alarm(draft.nextId(0), at));
        draft.deadline.map(Effects::ofDeadline).ifPresent(draft.asked::add);
    }

    private void cancel(CancelRequested e) {
        undo.leave();
        draft.endStrandEffects();
        tasks.withdrawAll();
        family.unwantAll();
        draft.phase(new Job.Cancelling(e.reason(), new Alarm(draft.nextId(0), e.graceUntil())));
    }

    private void quarantine(JobQuarantined e) {
        draft.endStrandEffects();
        if (draft.isActive()) {
            for (var task : draft.tasks) {
                if (task.hedge().isPresent() && Hedge.leased(task).isEmpty()) {
                    draft.put(leases.endHedge(task, false));
                }
                if (task.state() instanceof Task.Open(Delivery.Queued queued, int _, var _)) {
                    draft.ended.addAll(Effects.ofQueued(task, queued, draft.spec()));
                } else if (task.state() instanceof Task.Doubtful doubt) {
                    draft.ended.add(Effects.ofDoubtful(task, doubt));
                }
                task.asked()
                        .ifPresent(question ->
                                draft.ended.add(Effects.ofAsked(task, question, true).getFirst()));
            }
        }
        draft.phase(new Job.Quarantined(e.reason(), draft.nextId(0)));
        if (draft.spec()
                .lineage()
                .filter(lineage -> lineage.mode() == ChildMode.AWAITED_UNLESS_QUARANTINED)
                .isPresent()) {
            family.tell(ChildReport.QUARANTINED, Optional.of(e.reason()));
        }
    }

    /// What was used up before a person let the job go on counts no more.
    private void allowAgain() {
        draft.allowance = new Allowance(draft.entered, draft.version, draft.allowance.run());
        for (var strand : draft.strands) {
            draft.strands = draft.strands.set(strand.id(), strand.withoutTrail());
        }
    }

    /// A strand that was stopped as it entered its state asks for nothing meanwhile, and is not asked for anew.
    private void activate() {
        var strand = draft.strands.get(0);
        if (strand.doing() instanceof Strand.Stepping) {
            draft.strands = draft.strands.set(0, strand.with(new Strand.Stopped()));
        }
        draft.phase(new Job.Active());
    }

    private void mended(JobMended e) {
        activate();
        allowAgain();
        draft.data =
                draft.data.merge(
                        switch (e.how()) {
                            case Mending.Retry(var changes) -> changes;
                            case Mending.Skip(var _, var result) -> skipped(result);
                            case Mending.Release _, Mending.Discard _ -> JobData.EMPTY;
                        });
    }

    /// What a person gives in place of what the main strand waits for.
    private JobData skipped(Payload result) {
        return draft.strands.get(0).doing() instanceof Strand.AwaitingTask(int task, var _)
                ? draft.tasks.get(task).spec().dataOf(result)
                : JobData.ofResult(result);
    }

    private void rewound(JobRewound e) {
        if (!draft.isActive()) {
            activate();
        }
        allowAgain();
        undo.leave();
        strands.stop(0, e.at());
        draft.strands = draft.strands.set(0, draft.strands.get(0).in(e.to(), new Strand.Stopped()));
        draft.data = e.data();
    }

    /// What lingers, and children that have not ended, keep their place until the next run.
    private void continued(JobEvent.JobContinued e) {
        draft.entered = 0;
        draft.allowance = new Allowance(0, draft.version, draft.allowance.run() + 1);
        draft.data = e.data();
        draft.recorded = List.of();
        draft.undo = Undo.NONE;
        var line = draft.strands.get(0).withoutTrail();
        if (nobodyIsLeft()) {
            draft.strands = PersistentVector.<Strand>empty().append(line);
            draft.tasks = PersistentVector.empty();
            draft.family = Family.NONE.telling(draft.family.telling());
            draft.signals = draft.signals.withoutTaken();
        } else {
            draft.strands = draft.strands.set(0, line);
        }
    }

    private boolean nobodyIsLeft() {
        return draft.leased == 0
                && draft.lingering == 0
                && draft.family.pending() == 0
                && draft.family.leaving() == 0
                && draft.tasks.stream().noneMatch(Task::isUnsettled);
    }

    private void end(JobEnded e) {
        draft.endStrandEffects();
        tasks.withdrawAll();
        draft.deadline.map(Effects::ofDeadline).ifPresent(draft.ended::add);
        draft.deadline = Optional.empty();
        draft.endUndoGrace();
        family.unwantAll();
        draft.undo = draft.undo.withoutDeclared();
        draft.phase(new Job.Ended(e.outcome(), e.at()));
        switch (e.outcome()) {
            case JobOutcome.Finished _ -> family.tell(Outcomes.FINISHED, Optional.empty());
            case JobOutcome.Failed(var reason) -> family.tell(Outcomes.FAILED, Optional.of(reason));
            case JobOutcome.Cancelled(var reason) ->
                    family.tell(Outcomes.CANCELLED, Optional.of(reason));
        }
    }
}
