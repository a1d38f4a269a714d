package dev.artel.kernel.job;

import dev.artel.kernel.approval.Approvals;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.Children;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.guard.GuardBaseline;
import dev.artel.kernel.question.AskedQuestions;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.timer.Timer;
import dev.artel.kernel.webhook.WebhookEvents;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A job that was submitted. Immutable.
///
/// @param id its name
/// @param version the number of its last event
/// @param spec what does not change
/// @param submitted when it came
/// @param phase where it stands as a whole
/// @param data the results of its steps and tasks, merged in the order of events
/// @param branches its lines of execution; a branch's id is its index
/// @param tasks its tasks; a task's id is its index
/// @param signals what was sent to it
/// @param approvals what became of those that are over
/// @param recordedResult results of the job off which it was forked that were not used yet
/// @param deadline the timer for [JobOptions#deadline]; empty also once the job has ended
/// @param leased how many tasks have a live lease (derived)
/// @param lingering how many revoked leases linger (derived)
/// @param entered how many states it has entered
/// @param guardBaseline from where on is counted what its guards allow
/// @param children the other jobs that it deals with
/// @param compensationLog what it has done and would compensate
/// @param webhookEvents the calls of its webhooks
/// @param pause who paused it; empty: it is not paused
/// @param questions which task asked which question
/// @param budget what it may spend and has spent; empty: that is not counted
public record Job(
        JobId id,
        long version,
        JobSpec spec,
        Instant submitted,
        Phase phase,
        JobData data,
        PersistentVector<Branch> branches,
        PersistentVector<Task> tasks,
        Signals signals,
        Approvals approvals,
        List<RecordedResult> recordedResult,
        Optional<Timer> deadline,
        int leased,
        int lingering,
        int entered,
        GuardBaseline guardBaseline,
        Children children,
        CompensationLog compensationLog,
        WebhookEvents webhookEvents,
        Optional<Pause> pause,
        AskedQuestions questions,
        Optional<BudgetLedger> budget)
        implements JobState {

    /// Where a job stands as a whole.
    public sealed interface Phase {}

    /// It goes on.
    ///
    /// @param cancelHandled whether a state of its blueprint handles a cancel since; a further cancel ends it
    public record Active(boolean cancelHandled) implements Phase {}

    /// Its workers have been asked to give up; it goes on when they have, or when the grace is over.
    ///
    /// @param next the state that handles the cancel; empty: the job ends
    public record Cancelling(String reason, Timer grace, Optional<String> next) implements Phase {}

    /// It waits for a person.
    ///
    /// @param person the effect that asks for one
    public record Quarantined(String reason, EffectId person) implements Phase {}

    /// It has its outcome.
    public record Ended(JobOutcome outcome, Instant at) implements Phase {}

    /// Whether its handlers run and its tasks are handed out.
    public boolean goesOn() {
        return phase instanceof Active && pause.isEmpty();
    }

    /// Whether the outcome is decided; there is no way back.
    public boolean isFinal() {
        return phase instanceof Ended;
    }

    /// Whether its parent has taken its quarantine for its end, and waits for it no more.
    public boolean isGivenUp() {
        return phase instanceof Quarantined
                && spec.parentLink()
                        .filter(link -> link.mode() == ChildMode.AWAITED_UNLESS_QUARANTINED)
                        .isPresent();
    }

    /// Whether nothing is pending any more.
    public boolean isClosed() {
        return isQuiet() && webhookEvents.pending().isEmpty();
    }

    /// Whether it is final, and nothing is pending but calls of webhooks.
    public boolean isQuiet() {
        return isFinal() && lingering == 0 && children.isSettled();
    }

    /// How many states it has entered since a person last let it go on.
    public int enteredSinceAllowed() {
        return entered - guardBaseline.entered();
    }

    /// How many states it has entered, with those that the children for which it waits have entered or may enter.
    public int steps() {
        return entered + children.lent();
    }

    /// How many [#steps] there may be.
    public int stepsAllowed() {
        return spec.parentLink()
                .map(ParentLink::steps)
                .filter(steps -> steps != ParentLink.AS_ITS_BLUEPRINT_ALLOWS)
                .orElse(spec.guards().treeSteps());
    }

    /// Whether [#stepsAllowed] counts for it: it was allotted a number, or has waited for children.
    public boolean isCountedAsTree() {
        return isAllotted() || children.lent() > 0;
    }

    /// Whether its parent sets how many [#stepsAllowed] there are.
    public boolean isAllotted() {
        return spec.parentLink()
                .filter(parentLink -> parentLink.steps() != ParentLink.AS_ITS_BLUEPRINT_ALLOWS)
                .isPresent();
    }

    /// The job's status in the words of the client API.
    public String status() {
        return switch (phase) {
            case Ended(JobOutcome.Finished _, var _) -> "finished";
            case Ended(JobOutcome.Failed _, var _) -> "failed";
            case Ended(JobOutcome.Cancelled _, var _) -> "cancelled";
            case Quarantined _ -> "quarantined";
            case Active _ when budget.flatMap(BudgetLedger::asking).isPresent() ->
                    "waiting_for_human";
            case Active _
                    when branches.get(0).doing() instanceof Branch.AwaitingTask(int task, var _)
                            && (tasks.get(task).state() instanceof Task.Doubtful
                                    || tasks.get(task).asked().isPresent()) ->
                    "waiting_for_human";
            case Active _ when compensationLog.running().isPresent() -> "compensating";
            case Active _, Cancelling _ -> branches.get(0).status();
        };
    }

    /// The job's data as the step of `branch` sees them that was entered because of `cause`: a signal that the branch took
    /// is there with its own payload, also if another branch has taken one of the same name since.
    public JobData dataFor(int branch, StepCause cause) {
        if (!(cause instanceof StepCause.SignalTaken(var signal, var sent))) {
            return data;
        }
        return branches.get(branch)
                .taken()
                .filter(taken -> taken.id().equals(sent))
                .map(taken -> data.with(signal, taken.payload()))
                .orElse(data);
    }

    /// Why the job is not well, if it is not.
    public Optional<String> errorMessage() {
        return switch (phase) {
            case Ended(JobOutcome.Failed(var reason), var _) -> Optional.of(reason);
            case Ended(JobOutcome.Cancelled(var reason), var _) -> Optional.of(reason);
            case Quarantined(var reason, var _) -> Optional.of(reason);
            case Ended(JobOutcome.Finished _, var _), Active _, Cancelling _ -> Optional.empty();
        };
    }
}
