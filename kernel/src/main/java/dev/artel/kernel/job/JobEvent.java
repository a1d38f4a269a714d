package dev.artel.kernel.job;

import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.compensation.CompensationLog;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskSpec;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What happened to a job. Past tense, additive; encoded with a version in `stores.codec`.
public sealed interface JobEvent {
    /// When it happened, by the orchestrator's wall clock, in milliseconds.
    Instant at();

    /// What happened to an attempt at a task: code that follows attempts has a case for each of these, and for no other.
    sealed interface AttemptEvent extends JobEvent {
        /// The number of the task.
        int task();
    }

    /// The job began; branch 0 exists.
    record JobSubmitted(JobSpec spec, Instant at) implements JobEvent {}

    /// A branch entered a state, whose handler is to be run.
    record StateEntered(int branch, String state, StepCause cause, Instant at)
            implements JobEvent {}

    /// A handler's run is answered; the events of its action follow.
    ///
    /// @param changes the result of the step, merged into the job's data
    /// @param passed end states that the branch entered on the way, in order
    record StepDone(int branch, EffectId step, JobData changes, List<String> passed, Instant at)
            implements JobEvent {
        /// Copies `passed`.
        public StepDone {
            passed = List.copyOf(passed);
        }
    }

    /// A handler's run failed.
    ///
    /// @param retryAt when it is run again; empty if it is not
    record StepFailed(
            int branch,
            EffectId step,
            String message,
            int attempt,
            Optional<Instant> retryAt,
            Instant at)
            implements JobEvent {}

    /// The backoff of a handler is over.
    record StepRetried(int branch, Instant at) implements JobEvent {}

    /// A branch waits for a task, which has the next number.
    record TaskOpened(int branch, TaskSpec spec, Outcomes on, Instant at) implements JobEvent {}

    /// A branch waits for several tasks, which have the next numbers.
    ///
    /// @param window how many are open at once
    record TasksOpened(
            int branch,
            List<TaskSpec> specs,
            int window,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            Instant at)
            implements JobEvent {
        /// Copies `specs`.
        public TasksOpened {
            specs = List.copyOf(specs);
        }
    }

    /// A worker got the task.
    record LeaseGranted(int task, Lease lease, Placement placement, Instant at)
            implements AttemptEvent {}

    /// A worker's attempt ended without the task's outcome; the next attempt is queued.
    ///
    /// @param lingers whether the worker may still be at it
    record AttemptFailed(
            int task,
            LeaseToken token,
            TaskError error,
            boolean lingers,
            Instant retryAt,
            Instant at)
            implements AttemptEvent {}

    /// The first attempt at a task has taken so long that a second one is queued beside it.
    record HedgeBegun(int task, Instant at) implements AttemptEvent {}

    /// One of two attempts at a task has ended without its outcome; the other one goes on.
    ///
    /// @param reason why
    /// @param lingers whether its worker may still be at it
    /// @param again when a second attempt begins anew; empty if it does not
    record AttemptDropped(
            int task,
            LeaseToken token,
            String reason,
            boolean lingers,
            Optional<Instant> again,
            Instant at)
            implements AttemptEvent {}

    /// A lease was lost with its worker; the next attempt is queued.
    record LeaseLost(int task, LeaseToken token, LeaseEnd.Lost reason, Instant at)
            implements AttemptEvent {}

    /// A hand-out came back unstarted; the same attempt is queued again.
    record LeaseReturned(
            int task, LeaseToken token, LeaseEnd.Returned reason, Instant retryAt, Instant at)
            implements AttemptEvent {}

    /// A revoked lease no longer has its worker.
    record LeaseReleased(int task, LeaseToken token, Instant at) implements AttemptEvent {}

    /// A task has its outcome.
    record TaskSucceeded(int task, LeaseToken token, String status, Payload data, Instant at)
            implements AttemptEvent {}

    /// A task failed for good.
    ///
    /// @param lingers whether a worker may still be at it
    record TaskFailed(int task, TaskError error, boolean lingers, Instant at)
            implements AttemptEvent {}

    /// An attempt at a task that must not be done twice may have had its effect: the task waits for a person who knows.
    ///
    /// @param reason why it is unknown
    /// @param lingers whether the worker may still be at it
    record OutcomeUnknown(int task, LeaseToken token, String reason, boolean lingers, Instant at)
            implements AttemptEvent {}

    /// A worker wants to know something before it goes on with its attempt, which waits.
    ///
    /// @param until how long
    record QuestionAsked(
            int task, LeaseToken token, Question question, Optional<Instant> until, Instant at)
            implements AttemptEvent {}

    /// A client answered the question for which an attempt at the task waits; it goes on, or another one begins.
    ///
    /// @param by who
    record QuestionAnswered(int task, String answer, String by, Instant at)
            implements AttemptEvent {}

    /// A person has set the outcome of such a task.
    ///
    /// @param by a client or a worker
    record OutcomeResolved(int task, Resolution resolution, String by, Instant at)
            implements AttemptEvent {}

    /// What an attempt has cost is known. It was counted before as it was reserved.
    ///
    /// @param token of the lease under which it ran
    /// @param reserved what was counted until now
    /// @param spent what counts instead
    record AttemptSettled(int task, LeaseToken token, Spending reserved, Spending spent, Instant at)
            implements AttemptEvent {}

    /// A worker was to have the next attempt at a task, and the budget of the job does not have room for it now; a second
    /// attempt beside one that runs does not take place.
    record AttemptWithheld(int task, Instant at) implements AttemptEvent {}

    /// Workers are asked for tasks that had to wait for the budget.
    record TasksAdmitted(List<Integer> tasks, Instant at) implements JobEvent {
        /// Copies `tasks`.
        public TasksAdmitted {
            tasks = List.copyOf(tasks);
        }
    }

    /// So much of a limit of the job's budget is spent that a warning is due.
    record BudgetWarned(BudgetLimit limit, long spent, long most, Instant at) implements JobEvent {}

    /// What the job would do next does not fit into its budget: it fails, or waits for a person who grants more.
    ///
    /// @param limit which is not enough
    /// @param needed what the next task or child takes
    record BudgetExhausted(BudgetLimit limit, Spending needed, Instant at) implements JobEvent {}

    /// A person has granted more.
    ///
    /// @param by who
    record BudgetExtended(Spending more, String by, Instant at) implements JobEvent {}

    /// The tasks that a branch waits for and that have not ended are no longer wanted.
    record TasksWithdrawn(int branch, Instant at) implements JobEvent {}

    /// A branch started others, which have the next numbers, and waits for them.
    ///
    /// @param starts the state in which each begins
    record Forked(
            int branch,
            List<String> starts,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            Instant at)
            implements JobEvent {
        /// Copies `starts`.
        public Forked {
            starts = List.copyOf(starts);
        }
    }

    /// A branch ended by itself.
    ///
    /// @param failure why, if it ended badly
    /// @param hopeless whether nothing that a person does could recover that
    record BranchEnded(int branch, Optional<String> failure, boolean hopeless, Instant at)
            implements JobEvent {}

    /// The branches of a branch that have not ended are no longer wanted, with all that they wait for.
    record BranchesStopped(int branch, Instant at) implements JobEvent {}

    /// A branch waits for time to pass.
    record WaitBegun(int branch, Instant until, String next, Instant at) implements JobEvent {}

    /// A branch waits for a signal.
    ///
    /// @param until how long
    /// @param otherwise the state that follows then
    record SignalAwaited(
            int branch,
            String signal,
            String next,
            Optional<Instant> until,
            Optional<String> otherwise,
            Instant at)
            implements JobEvent {}

    /// A signal came; it waits for a branch that wants it.
    ///
    /// @param id the sender's
    /// @param sender the name of the client
    record SignalReceived(String signal, String id, Payload payload, String sender, Instant at)
            implements JobEvent {}

    /// A branch waits for a person to decide.
    ///
    /// @param until how long
    record ApprovalRequested(int branch, Approval approval, Optional<Instant> until, Instant at)
            implements JobEvent {}

    /// A person decided about the approval for which a branch waits.
    ///
    /// @param by see [Approver#text]
    /// @param comment the comment of the person who decided
    record ApprovalDecided(
            int branch, String choice, String by, Optional<String> comment, Instant at)
            implements JobEvent {}

    /// A branch wants another job, which has the next number among the children.
    ///
    /// @param steps how many of this job's steps it gets
    record ChildRequested(int branch, ChildSpec spec, int steps, Outcomes on, Instant at)
            implements JobEvent {}

    /// A branch wants many jobs of one blueprint, which have the next numbers among the children; no more than `window` of them live at
    /// once.
    ///
    /// @param spec what is asked for of each, without initial data
    /// @param initialData what each begins with, in their order
    /// @param steps how many of this job's steps each gets
    /// @param join the state that follows when `policy` is met
    /// @param otherwise the state that follows when it cannot be
    record ChildrenRequested(
            int branch,
            ChildSpec spec,
            List<JobData> initialData,
            int steps,
            int window,
            JoinPolicy policy,
            String join,
            Optional<String> otherwise,
            Instant at)
            implements JobEvent {
        /// Copies `initialData`.
        public ChildrenRequested {
            initialData = List.copyOf(initialData);
        }
    }

    /// The children of a branch that have not ended are no longer wanted.
    record ChildrenWithdrawn(int branch, Instant at) implements JobEvent {}

    /// A child has begun.
    record ChildStarted(int child, Instant at) implements JobEvent {}

    /// A child cannot begin.
    record ChildRefused(int child, String reason, Instant at) implements JobEvent {}

    /// A child has reported its end.
    record ChildEnded(int child, ChildReport report, Instant at) implements JobEvent {}

    /// A child knows that it is no longer wanted.
    record ChildStopped(int child, Instant at) implements JobEvent {}

    /// The job that started this one knows how it ended.
    record ParentNotified(Instant at) implements JobEvent {}

    /// The person or client that the job waited for has answered.
    ///
    /// @param call the [Effect.CallWebhook] that this answers
    /// @param attempts how often it was tried, as far as is known
    record WebhookDelivered(EffectId call, int attempts, Instant at) implements JobEvent {}

    /// A webhook could not be delivered and is given up.
    ///
    /// @param call the [Effect.CallWebhook] that this answers
    /// @param attempts how often it was tried, as far as is known
    record WebhookGivenUp(EffectId call, int attempts, String reason, Instant at)
            implements JobEvent {}

    /// What a branch is about to have done can be compensated so.
    record CompensationRegistered(int branch, Compensation by, Instant at) implements JobEvent {}

    /// What the job did is compensated, in a branch that has the next number, before it fails, is cancelled or is taken back.
    ///
    /// @param graceUntil how long workers and children may take to give up before
    /// @param limit when it ends whatever is left
    record CompensationStarted(
            CompensationLog.Aim aim, Optional<Instant> graceUntil, Instant limit, Instant at)
            implements JobEvent {}

    /// What was done last of what is left has been compensated.
    ///
    /// @param failure why it could not be
    record CompensationCompleted(Optional<String> failure, Instant at) implements JobEvent {}

    /// The job is to end; its workers are notified.
    ///
    /// @param graceUntil when it goes on whatever they do
    /// @param next the state that handles the cancel; empty: the job ends, unless the task for which it waits decides otherwise
    record CancelRequested(String reason, Instant graceUntil, Optional<String> next, Instant at)
            implements JobEvent {}

    /// The job goes on in a state that its author named for cancellation.
    record CancelHandled(Instant at) implements JobEvent {}

    /// A client has changed the priority or the labels of the job; these hold from now on.
    ///
    /// @param labels all of them
    /// @param by who
    record JobChanged(double priority, SequencedMap<String, String> labels, String by, Instant at)
            implements JobEvent {
        /// Copies `labels`.
        public JobChanged {
            labels = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(labels));
        }
    }

    /// A client has paused the job: none of its handlers begins and none of its tasks is handed out. What workers are at goes on.
    ///
    /// @param by who
    record JobPaused(Optional<String> reason, String by, Instant at) implements JobEvent {
        /// Cuts a reason that is too long.
        public JobPaused {
            reason = reason.map(ReasonText::bounded);
        }
    }

    /// The job goes on after a pause; timers whose time has come meanwhile go off.
    ///
    /// @param by who
    record JobResumed(String by, Instant at) implements JobEvent {}

    /// The job waits for a person.
    record JobQuarantined(String reason, Instant at) implements JobEvent {
        /// Cuts a reason that is too long.
        public JobQuarantined {
            reason = ReasonText.bounded(reason);
        }
    }

    /// A person has done something about the quarantined job, which goes on; what it does follows.
    ///
    /// @param by who
    record QuarantineResolved(QuarantineAction how, String by, Instant at) implements JobEvent {}

    /// A person has taken the job back to a state in which it was before. What it was about is no longer wanted.
    ///
    /// @param from the state in which it was
    /// @param data the job's data from now on
    /// @param since the tasks that have succeeded since it was there; what they did remains where it was not compensated
    /// @param by who
    record JobRewound(
            String from, String to, JobData data, List<Integer> since, String by, Instant at)
            implements JobEvent {
        /// Copies `since`.
        public JobRewound {
            since = List.copyOf(since);
        }
    }

    /// The job was forked off another one. What follows its submission.
    ///
    /// @param data with which it begins
    /// @param recordedResult what tasks of the other one have brought
    /// @param by who
    record JobForked(
            JobId from, JobData data, List<RecordedResult> recordedResult, String by, Instant at)
            implements JobEvent {
        /// Copies `recorded`.
        public JobForked {
            recordedResult = List.copyOf(recordedResult);
        }
    }

    /// The job begins a new run: it goes on in another state with other data, and what it did before counts no more.
    ///
    /// @param from the state in which it was
    /// @param data all the data with which it goes on
    record JobContinued(String from, String to, JobData data, Instant at) implements JobEvent {}

    /// The job goes on with another definition, from its first state. Its data, its budget and what it did stay.
    ///
    /// @param from the definition that it leaves
    /// @param state of `from`, in which it was
    /// @param to the definition with which it goes on
    /// @param guards those of `to`
    /// @param cancelState the state of `to` that handles a cancel; empty: a cancel ends the job
    record DefinitionReplaced(
            BlueprintRef from,
            String state,
            BlueprintRef to,
            Guards guards,
            Optional<String> cancelState,
            Instant at)
            implements JobEvent {}

    /// A task has the outcome that one with the same inputs had in the job off which this one was forked.
    record TaskReused(int task, RecordedResult result, Instant at) implements JobEvent {}

    /// The job has its outcome; all that has not ended is no longer wanted.
    record JobEnded(JobOutcome outcome, Instant at) implements JobEvent {}
}
