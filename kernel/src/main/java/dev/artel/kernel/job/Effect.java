package dev.artel.kernel.job;

import dev.artel.kernel.approval.Approval;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.child.ChildSpec;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.question.Answer;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import dev.artel.kernel.webhook.WebhookEvent;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Something that a job asks the world to do or to keep. Its receiver may do it again after a crash, and
/// dedupes by (job, [#id]).
///
/// An *answered* effect is pending until an event of the job answers it; a *standing* one is held by an index
/// while the state requires it.
public sealed interface Effect {
    /// The same after a crash.
    EffectId id();

    /// Run the handler of a branch's state (answered).
    ///
    /// @param attempt from 1
    record RunStep(EffectId id, int branch, String state, StepCause cause, int attempt)
            implements Effect {}

    /// Is held by an index over many jobs - of offers, leases or timers - while the state of its job requires it (standing).
    sealed interface Indexed extends Effect {}

    /// Find a worker for a task (standing).
    ///
    /// @param outline what decides where it may run; what its worker is given comes with [HoldLease]
    /// @param client who submitted the job
    /// @param opened rank among offers of equal priority
    /// @param notBefore no worker gets it earlier
    /// @param failedOn the workers on which it has failed, as far as its demand asks
    record Offer(
            EffectId id,
            int task,
            int attempt,
            TaskOutline outline,
            double priority,
            String client,
            Instant opened,
            Instant notBefore,
            List<WorkerId> failedOn)
            implements Indexed {}

    /// Keep a lease while its worker does (standing).
    ///
    /// @param blueprint the name of its job's definition
    /// @param trace what its worker is to go on with
    /// @param answers to the questions of earlier attempts
    record HoldLease(
            EffectId id,
            int task,
            Lease lease,
            TaskSpec spec,
            String blueprint,
            double priority,
            Optional<TraceContext> trace,
            List<Answer> answers)
            implements Indexed {
        /// A lease of a job that is part of no trace, on a task of which nothing was asked.
        public HoldLease(
                EffectId id,
                int task,
                Lease lease,
                TaskSpec spec,
                String blueprint,
                double priority) {
            this(id, task, lease, spec, blueprint, priority, Optional.empty(), List.of());
        }

        /// What the lease counts against.
        public TaskOutline outline() {
            return TaskOutline.of(blueprint, spec);
        }

        /// This without what its worker is given, to be kept for long.
        public HoldLease withoutParams() {
            if (spec.params().equals(Payload.EMPTY)) {
                return this;
            }
            return new HoldLease(
                    id,
                    task,
                    lease,
                    spec.withParams(Payload.EMPTY),
                    blueprint,
                    priority,
                    trace,
                    answers);
        }
    }

    /// Keep a lease while its worker is there: it waits for an answer, renews nothing, and takes up no slot (standing).
    record HoldParked(EffectId id, int task, Lease lease) implements Indexed {}

    /// Ask a worker to give up, and keep its slot until it has (standing).
    ///
    /// @param blueprint the name of its job's definition
    record Revoke(EffectId id, int task, Lease lease, TaskSpec spec, String blueprint)
            implements Indexed {
        /// What the lease counts against.
        public TaskOutline outline() {
            return TaskOutline.of(blueprint, spec);
        }
    }

    /// Send a [JobCommand.FireTimer] at a time (standing).
    record ScheduleTimer(EffectId id, Instant at, TimerKind timerKind) implements Indexed {}

    /// Wait for a client or a person, who may send a command at any time (standing). The job itself holds it: no part of
    /// the orchestrator has anything to do.
    sealed interface Outside extends Effect {}

    /// What concerns other jobs.
    sealed interface CrossJob extends Effect {}

    /// Begin another job, under a name that is the same however often it is done (answered).
    ///
    /// @param job its name
    /// @param parentLink what it is to know of its parent
    record StartChild(EffectId id, JobId job, ChildSpec spec, ParentLink parentLink)
            implements CrossJob {}

    /// Wait for the end of a child, which holds this by living (standing).
    ///
    /// @param child its number
    /// @param job its name
    record AwaitChild(EffectId id, int child, JobId job) implements CrossJob {}

    /// Cancel a child (answered).
    record StopChild(EffectId id, int child, JobId job) implements CrossJob {}

    /// Report the end of a child to the job that started it (answered).
    ///
    /// @param outcome see [ChildReport#outcome]
    record NotifyParent(EffectId id, ParentLink parentLink, String outcome, Optional<String> reason)
            implements CrossJob {}

    /// Call a webhook (answered).
    record CallWebhook(EffectId id, WebhookEvent webhookEvent) implements Effect {}

    /// Wait for an operator to look at a quarantined job (standing).
    record AwaitOperator(EffectId id, String reason) implements Outside {}

    /// Wait for a [JobCommand.ResumeJob] (standing).
    ///
    /// @param by who paused the job
    record AwaitResume(EffectId id, String by) implements Outside {}

    /// Wait for a [JobCommand.ExtendBudget] (standing).
    ///
    /// @param limit which is not enough
    /// @param needed what the next task takes
    record AwaitExtension(EffectId id, BudgetLimit limit, Spending needed) implements Outside {}

    /// Wait for a [JobCommand.ResolveTask] (standing).
    record AwaitResolution(EffectId id, int task, String reason) implements Outside {}

    /// Wait for a [JobCommand.AnswerQuestion] (standing).
    record AwaitAnswer(EffectId id, int task, Question question) implements Outside {
        /// See [OpenQuestion#number].
        public long number() {
            return id.event();
        }
    }

    /// Wait for a [JobCommand.Signal] (standing).
    record AwaitSignal(EffectId id, int branch, String signal) implements Outside {}

    /// Wait for a [JobCommand.DecideApproval] (standing).
    record AwaitApproval(EffectId id, int branch, Approval approval) implements Outside {
        /// The number by which people name the approval, unique in its job.
        public long number() {
            return id.event();
        }
    }
}
