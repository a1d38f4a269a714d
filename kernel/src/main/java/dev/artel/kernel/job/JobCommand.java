package dev.artel.kernel.job;

import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A request to a job; may be refused. Time and chance come in with it.
public sealed interface JobCommand {
    /// When it was given, by the orchestrator's wall clock.
    Instant at();

    /// Begin.
    ///
    /// @param signal received by the job when it has begun, and also where it was begun before under the same idempotency
    ///     key
    /// @param pause the job stands still from its beginning, until a client resumes it
    record Submit(JobSpec spec, Optional<Signal> signal, Optional<PauseJob> pause, Instant at)
            implements JobCommand {
        /// Begin, and no more.
        public Submit(JobSpec spec, Instant at) {
            this(spec, Optional.empty(), at);
        }

        /// Begin, with a signal if there is one.
        public Submit(JobSpec spec, Optional<Signal> signal, Instant at) {
            this(spec, signal, Optional.empty(), at);
        }

        /// This command for a job that stands still from its beginning, if `first` is there.
        public Submit paused(Optional<PauseJob> first) {
            return new Submit(spec, signal, first, at);
        }
    }

    /// A handler has returned what to do.
    ///
    /// @param step the [Effect.RunStep] that it answers
    /// @param passed end states that were entered on the way, in order
    record CompleteStep(EffectId step, Action action, List<String> passed, Instant at)
            implements JobCommand {
        /// Copies `passed`.
        public CompleteStep {
            passed = List.copyOf(passed);
        }
    }

    /// A handler has failed.
    ///
    /// @param step the [Effect.RunStep] that it answers
    /// @param retryable whether another try may help
    /// @param random from 0 to 1, for the backoff's jitter
    /// @param retry how often it is run again, if its state sets it; else the job's guards do
    record FailStep(
            EffectId step,
            String message,
            boolean retryable,
            double random,
            Optional<RetryPolicy> retry,
            Instant at)
            implements JobCommand {
        /// Cuts a message that is too long.
        public FailStep {
            message = ReasonText.bounded(message);
        }

        /// One of a state that sets no retries.
        public FailStep(
                EffectId step, String message, boolean retryable, double random, Instant at) {
            this(step, message, retryable, random, Optional.empty(), at);
        }
    }

    /// A worker is to have the task.
    ///
    /// @param offer the [Effect.Offer] that it answers
    /// @param token fresh
    /// @param instance the process of the worker
    record Grant(
            EffectId offer,
            int task,
            LeaseToken token,
            WorkerId worker,
            WorkerInstance instance,
            Placement placement,
            Instant at)
            implements JobCommand {
        /// One to a worker of which the process is not known.
        public Grant(
                EffectId offer,
                int task,
                LeaseToken token,
                WorkerId worker,
                Placement placement,
                Instant at) {
            this(offer, task, token, worker, WorkerInstance.UNKNOWN, placement, at);
        }
    }

    /// A worker reports how its attempt ended.
    ///
    /// @param worker the one that reports it; only the holder of the lease counts
    /// @param cost what the attempt has cost, as far as the worker reports it
    /// @param random from 0 to 1, for the backoff's jitter
    record Report(
            int task,
            LeaseToken token,
            WorkerId worker,
            TaskReport report,
            ReportedCost cost,
            double random,
            Instant at)
            implements JobCommand {
        /// One of a worker that reports no cost.
        public Report(
                int task,
                LeaseToken token,
                WorkerId worker,
                TaskReport report,
                double random,
                Instant at) {
            this(task, token, worker, report, ReportedCost.NONE, random, at);
        }
    }

    /// A worker wants to know something before it goes on with its attempt.
    ///
    /// @param worker who asks; only the holder of the lease counts
    /// @param within how long it waits at most
    record AskQuestion(
            int task,
            LeaseToken token,
            WorkerId worker,
            Question question,
            Optional<Duration> within,
            Instant at)
            implements JobCommand {}

    /// A client answers a question of an attempt.
    ///
    /// @param number see [OpenQuestion#number]
    /// @param by who, as events keep it
    record AnswerQuestion(long number, String answer, String by, Instant at)
            implements JobCommand {}

    /// A lease ended without a report; also the word that a revoked lease no longer has its worker.
    record EndLease(int task, LeaseToken token, LeaseEnd reason, Instant at)
            implements JobCommand {}

    /// A timer went off.
    ///
    /// @param timer the [Effect.ScheduleTimer]
    /// @param random from 0 to 1, for the backoff's jitter
    record FireTimer(EffectId timer, TimerKind timerKind, double random, Instant at)
            implements JobCommand {}

    /// Something that a job may wait for has happened outside.
    ///
    /// @param id the sender's; the same again changes nothing
    /// @param sender the name of the client
    record Signal(String signal, String id, Payload payload, String sender, Instant at)
            implements JobCommand {}

    /// A person has decided.
    ///
    /// @param comment a comment of the person who decides
    record DecideApproval(Approver by, String choice, Optional<String> comment, Instant at)
            implements JobCommand {}

    /// A child has begun.
    ///
    /// @param start the [Effect.StartChild] that it answers
    record ConfirmChild(int child, EffectId start, Instant at) implements JobCommand {}

    /// A child cannot begin.
    ///
    /// @param start the [Effect.StartChild] that it answers
    record RefuseChild(int child, EffectId start, String reason, Instant at) implements JobCommand {
        /// Cuts a reason that is too long.
        public RefuseChild {
            reason = ReasonText.bounded(reason);
        }
    }

    /// A child has ended.
    ///
    /// @param start the [Effect.StartChild] by which the child is known
    record EndChild(int child, EffectId start, ChildReport report, Instant at)
            implements JobCommand {}

    /// A child knows that it is to end.
    ///
    /// @param stop the [Effect.StopChild] that it answers
    record ConfirmStop(int child, EffectId stop, Instant at) implements JobCommand {}

    /// The parent knows how this job ended.
    ///
    /// @param parentNotification the [Effect.NotifyParent] that it answers
    record ConfirmParentNotified(EffectId parentNotification, Instant at) implements JobCommand {}

    /// A webhook was delivered, or is given up.
    ///
    /// @param call the [Effect.CallWebhook] that it answers
    /// @param attempts how often it was tried, as far as is known
    /// @param problem why it was given up; empty: it was delivered
    record SettleWebhook(EffectId call, int attempts, Optional<String> problem, Instant at)
            implements JobCommand {}

    /// A client sets the outcome of a task whose outcome was unknown.
    ///
    /// @param by who, as events keep it
    record ResolveTask(int task, Resolution resolution, String by, Instant at)
            implements JobCommand {}

    /// A person does something about a quarantined job.
    ///
    /// @param by who, as events keep it
    record ResolveQuarantine(QuarantineAction how, String by, Instant at) implements JobCommand {}

    /// A person takes the job back.
    ///
    /// @param to a visit of its past, with the data from which it is to go on
    /// @param by who, as events keep it
    record Rewind(StateVisit to, String by, Instant at) implements JobCommand {}

    /// Begin, in the middle of the life of another job.
    ///
    /// @param data with which to begin
    /// @param recordedResult what tasks of the other one have brought
    /// @param by who, as events keep it
    record Fork(
            JobSpec spec,
            JobId from,
            JobData data,
            List<RecordedResult> recordedResult,
            String by,
            Instant at)
            implements JobCommand {
        /// Copies `recorded`.
        public Fork {
            recordedResult = List.copyOf(recordedResult);
        }
    }

    /// Another priority or other labels from now on.
    ///
    /// @param by who, as events keep it
    record ChangeJob(JobPatch patch, String by, Instant at) implements JobCommand {}

    /// Spend more than was granted so far.
    ///
    /// @param more not nothing
    /// @param by who, as events keep it
    record ExtendBudget(Spending more, String by, Instant at) implements JobCommand {}

    /// Stand still: begin nothing until a client resumes it.
    ///
    /// @param by who, as events keep it
    record PauseJob(Optional<String> reason, String by, Instant at) implements JobCommand {}

    /// Go on after a pause.
    ///
    /// @param by who, as events keep it
    record ResumeJob(String by, Instant at) implements JobCommand {}

    /// End early.
    record Cancel(String reason, Instant at) implements JobCommand {
        /// Cuts a reason that is too long.
        public Cancel {
            reason = ReasonText.bounded(reason);
        }
    }
}
