package dev.artel.kernel.rules;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.Children;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.guard.GuardBaseline;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Hedge;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
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
import dev.artel.kernel.job.JobEvent.CompensationCompleted;
import dev.artel.kernel.job.JobEvent.CompensationRegistered;
import dev.artel.kernel.job.JobEvent.CompensationStarted;
import dev.artel.kernel.job.JobEvent.Forked;
import dev.artel.kernel.job.JobEvent.HedgeBegun;
import dev.artel.kernel.job.JobEvent.JobEnded;
import dev.artel.kernel.job.JobEvent.JobForked;
import dev.artel.kernel.job.JobEvent.JobQuarantined;
import dev.artel.kernel.job.JobEvent.JobRewound;
import dev.artel.kernel.job.JobEvent.JobSubmitted;
import dev.artel.kernel.job.JobEvent.LeaseGranted;
import dev.artel.kernel.job.JobEvent.LeaseLost;
import dev.artel.kernel.job.JobEvent.LeaseReleased;
import dev.artel.kernel.job.JobEvent.LeaseReturned;
import dev.artel.kernel.job.JobEvent.OutcomeResolved;
import dev.artel.kernel.job.JobEvent.OutcomeUnknown;
import dev.artel.kernel.job.JobEvent.ParentNotified;
import dev.artel.kernel.job.JobEvent.QuarantineResolved;
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
import dev.artel.kernel.job.JobEvent.WaitBegun;
import dev.artel.kernel.job.JobOutcome;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.PersistentVector;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Task;
import dev.artel.kernel.question.AskedQuestions;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.timer.Timer;
import java.util.List;
import java.util.Optional;

/// Applies events to a job one by one and notes the effects that each asks for, and answers or withdraws.
///
/// One row per event, no rule: whether an event may happen is decided before. What concerns the job as a whole is done
/// here, the rest by the parts for branches, tasks, leases, questions, children, compensation,
/// pauses and webhooks. Not safe for use by many threads.
public final class JobFold {
    private final MutableJob draft;
    private final ChildFold children;
    private final LeaseFold leases;
    private final QuestionFold questions;
    private final TaskFold tasks;
    private final BranchFold branches;
    private final CompensationFold compensate;
    private final PauseFold pauses;
    private final WebhookFold webhooks;

    public JobFold(JobState state) {
        draft = new MutableJob(state);
        children = new ChildFold(draft);
        leases = new LeaseFold(draft);
        questions = new QuestionFold(draft, leases);
        tasks = new TaskFold(draft, leases);
        branches = new BranchFold(draft, tasks, children);
        compensate = new CompensationFold(draft, tasks, children);
        pauses = new PauseFold(draft, leases);
        webhooks = new WebhookFold(draft);
    }

    public JobState state() {
        return draft.state();
    }

    /// The job, which must have been submitted.
    public Job job() {
        return draft.job();
    }

    public List<Effect> asked() {
        return draft.asked;
    }

    public List<Effect> ended() {
        return draft.ended;
    }

    public void apply(JobEvent event) {
        draft.version++;
        switch (event) {
            case JobSubmitted e -> submit(e);
            case StateEntered e -> branches.enter(e);
            case StepDone e -> branches.stepDone(e);
            case StepFailed e -> branches.stepFailed(e);
            case StepRetried e -> branches.stepRetried(e);
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
            case JobEvent.AttemptSettled e -> draft.correct(e.reserved(), e.spent());
            case JobEvent.AttemptWithheld e -> leases.withheld(e);
            case JobEvent.TasksAdmitted e -> leases.admitted(e);
            case JobEvent.BudgetWarned e ->
                    draft.budget = draft.budget.map(ledger -> ledger.warnedOf(e.limit()));
            case JobEvent.BudgetExhausted e -> exhausted(e);
            case JobEvent.BudgetExtended e -> {
                draft.endAsking();
                draft.budget = draft.budget.map(ledger -> ledger.extend(e.more()));
            }
            case TasksWithdrawn e -> branches.withdrawAwaitedBy(e.branch());
            case Forked e -> branches.fork(e);
            case BranchEnded e -> branches.branchEnded(e);
            case BranchesStopped e -> branches.stopBranchesOf(e.branch(), e.at());
            case WaitBegun e -> branches.beginWait(e);
            case SignalAwaited e -> branches.awaitSignal(e);
            case SignalReceived(var signal, var sent, var payload, var sender, var at) ->
                    draft.signals =
                            draft.signals.with(
                                    new Signals.Received(signal, sent, payload, sender, at));
            case ApprovalRequested e -> branches.requestApproval(e);
            case ApprovalDecided e -> branches.approvalDecided(e);
            case ChildRequested e -> children.request(e);
            case JobEvent.ChildrenRequested e -> children.requestAll(e);
            case JobEvent.ChildrenWithdrawn e -> branches.withdrawAwaitedBy(e.branch());
            case ChildStarted e -> children.started(e.child());
            case ChildRefused e -> children.refused(e);
            case ChildEnded e -> children.ended(e);
            case ChildStopped e -> children.stopped(e.child());
            case ParentNotified _ -> children.withdrawParentNotification();
            case CompensationRegistered e -> compensate.declare(e);
            case CompensationStarted e -> compensate.begin(e);
            case CompensationCompleted e -> {
                branches.stop(draft.compensationLog.running().orElseThrow().branch(), e.at());
                draft.compensationLog = draft.compensationLog.compensated(e.failure());
            }
            case CancelRequested e -> cancel(e);
            case CancelHandled e -> {
                var isHandled =
                        draft.phase instanceof Job.Cancelling(var _, var _, var next)
                                && next.isPresent();
                branches.stop(0, e.at());
                draft.phase(new Job.Active(isHandled));
                allowAgain();
            }
            case JobEvent.JobChanged e -> leases.reprioritize(e);
            case JobEvent.JobPaused e -> pauses.pause(e);
            case JobEvent.JobResumed e -> pauses.resume(e);
            case JobQuarantined e -> quarantine(e);
            case JobForked e -> {
                draft.data = e.data();
                draft.recordedResult = e.recordedResult();
            }
            case TaskReused e -> tasks.reused(e);
            case QuarantineResolved e -> resolved(e);
            case JobRewound e -> rewound(e);
            case JobEvent.JobContinued e -> continued(e);
            case JobEvent.DefinitionReplaced e -> replaced(e);
            case JobEnded e -> end(e);
            case JobEvent.WebhookDelivered e -> webhooks.delivered(e);
            case JobEvent.WebhookGivenUp e -> webhooks.givenUp(e);
        }
        webhooks.call(event);
    }

    private void submit(JobSubmitted e) {
        draft.submission = e;
        draft.branches =
                draft.branches.append(Branch.fresh(0, 0, e.spec().start(), new Branch.Stopped()));
        draft.budget = e.spec().budget().map(BudgetLedger::of);
        draft.deadline = e.spec().options().deadline().map(at -> new Timer(draft.nextId(0), at));
        draft.deadline.map(PendingEffects::ofDeadline).ifPresent(draft.asked::add);
    }

    private void exhausted(JobEvent.BudgetExhausted e) {
        var ledger = draft.budget.orElseThrow();
        if (ledger.budget().onExhausted() == OnExhausted.REQUEST_EXTENSION) {
            var asking = new BudgetLedger.Asking(draft.nextId(0), e.limit(), e.needed());
            draft.budget = Optional.of(ledger.with(Optional.of(asking)));
            draft.asked.add(PendingEffects.ofAsking(asking));
        }
    }

    private void cancel(CancelRequested e) {
        compensate.leave();
        draft.endBranchEffects();
        draft.endAsking();
        tasks.withdrawAll();
        children.unwantAll();
        draft.endPause();
        draft.phase(
                new Job.Cancelling(
                        e.reason(), new Timer(draft.nextId(0), e.graceUntil()), e.next()));
    }

    private void quarantine(JobQuarantined e) {
        draft.endBranchEffects();
        if (draft.isActive()) {
            for (var task : draft.tasks) {
                if (task.hedge().isPresent() && Hedge.leased(task).isEmpty()) {
                    draft.put(leases.endHedge(task, false));
                }
                if (task.state() instanceof Task.Open(Attempt.Queued queued, int _, var _)
                        && draft.goesOn()) {
                    draft.ended.addAll(PendingEffects.ofQueued(task, queued, draft.spec()));
                } else if (task.state() instanceof Task.Doubtful doubt) {
                    draft.ended.add(PendingEffects.ofDoubtful(task, doubt));
                }
                task.asked()
                        .ifPresent(question ->
                                draft.ended.add(
                                        PendingEffects.ofAsked(task, question, true).getFirst()));
            }
        }
        draft.phase(new Job.Quarantined(e.reason(), draft.nextId(0)));
        if (draft.spec()
                .parentLink()
                .filter(parentLink -> parentLink.mode() == ChildMode.AWAITED_UNLESS_QUARANTINED)
                .isPresent()) {
            children.notifyParent(ChildReport.QUARANTINED, Optional.of(e.reason()));
        }
    }

    /// What was used up before a person let the job go on counts no more.
    private void allowAgain() {
        draft.guardBaseline =
                new GuardBaseline(draft.entered, draft.version, draft.guardBaseline.run());
        for (var branch : draft.branches) {
            draft.branches = draft.branches.set(branch.id(), branch.withoutTrail());
        }
    }

    /// A branch that was stopped as it entered its state asks for nothing meanwhile, and is not asked for anew.
    private void activate() {
        var branch = draft.branches.get(0);
        if (branch.doing() instanceof Branch.Stepping) {
            draft.branches = draft.branches.set(0, branch.with(new Branch.Stopped()));
        }
        draft.phase(new Job.Active(false));
    }

    private void resolved(QuarantineResolved e) {
        activate();
        allowAgain();
        var changes =
                switch (e.how()) {
                    case QuarantineAction.Retry(var others) -> others;
                    case QuarantineAction.Skip(var _, var result) -> skipped(result);
                    case QuarantineAction.Release _, QuarantineAction.Discard _ -> JobData.EMPTY;
                };
        if (!changes.isEmpty()) {
            requested(e.by());
        }
        draft.data = draft.data.merge(changes);
    }

    /// Approvals that exclude the submitter exclude this person as well from now on.
    private void requested(String by) {
        var options = draft.spec().options();
        if (!by.equals("client " + draft.spec().client()) && !options.requestedBy().contains(by)) {
            draft.options(options.requestedAlsoBy(List.of(by)));
        }
    }

    /// What a person gives in place of what the main branch waits for.
    private JobData skipped(Payload result) {
        return draft.branches.get(0).doing() instanceof Branch.AwaitingTask(int task, var _)
                ? draft.tasks.get(task).spec().dataOf(result)
                : JobData.ofResult(result);
    }

    private void rewound(JobRewound e) {
        if (!draft.isActive()) {
            activate();
        }
        allowAgain();
        compensate.leave();
        branches.stop(0, e.at());
        branches.forgetSignals();
        draft.branches =
                draft.branches.set(0, draft.branches.get(0).in(e.to(), new Branch.Stopped()));
        draft.data = e.data();
        requested(e.by());
    }

    /// What lingers, and children that have not ended, keep their place until the next run.
    private void continued(JobEvent.JobContinued e) {
        draft.entered = 0;
        draft.guardBaseline = new GuardBaseline(0, draft.version, draft.guardBaseline.run() + 1);
        draft.data = e.data();
        draft.recordedResult = List.of();
        draft.compensationLog = CompensationLog.NONE;
        branches.forgetSignals();
        var line = draft.branches.get(0).withoutTrail();
        if (nobodyIsLeft()) {
            draft.branches = PersistentVector.<Branch>empty().append(line);
            draft.tasks = PersistentVector.empty();
            draft.children = Children.NONE.parentNotification(draft.children.parentNotification());
            draft.questions = AskedQuestions.NONE;
        } else {
            draft.branches = draft.branches.set(0, line);
        }
    }

    /// States of the definition that it leaves cannot be gone back to: they belong to an earlier run.
    private void replaced(JobEvent.DefinitionReplaced e) {
        var before = draft.guardBaseline;
        draft.guardBaseline =
                new GuardBaseline(before.entered(), before.events(), before.run() + 1);
        draft.spec(
                draft.spec()
                        .withBlueprint(e.to())
                        .withGuards(e.guards())
                        .withCancelState(e.cancelState()));
        draft.branches = draft.branches.set(0, draft.branches.get(0).withoutTrail());
    }

    private boolean nobodyIsLeft() {
        return draft.leased == 0
                && draft.lingering == 0
                && draft.children.pending() == 0
                && draft.children.leaving() == 0
                && draft.tasks.stream().noneMatch(Task::isUnsettled);
    }

    private void end(JobEnded e) {
        draft.endBranchEffects();
        tasks.withdrawAll();
        branches.forgetSignals();
        draft.deadline.map(PendingEffects::ofDeadline).ifPresent(draft.ended::add);
        draft.deadline = Optional.empty();
        draft.endCompensationGrace();
        children.unwantAll();
        draft.endAsking();
        draft.compensationLog = draft.compensationLog.withoutDeclared();
        draft.endPause();
        draft.phase(new Job.Ended(e.outcome(), e.at()));
        switch (e.outcome()) {
            case JobOutcome.Finished _ ->
                    children.notifyParent(Outcomes.FINISHED, Optional.empty());
            case JobOutcome.Failed(var reason) ->
                    children.notifyParent(Outcomes.FAILED, Optional.of(reason));
            case JobOutcome.Cancelled(var reason) ->
                    children.notifyParent(Outcomes.CANCELLED, Optional.of(reason));
        }
    }
}
