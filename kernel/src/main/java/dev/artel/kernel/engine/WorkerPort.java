package dev.artel.kernel.engine;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.TaskReport;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The side of an engine that conversations with workers use. Only [#registered], [#report] and [#question] wait; the rest is
/// taken in at once and done soon. Safe for use by many threads.
public interface WorkerPort {
    /// A worker has registered. The engine that keeps the registration gives it back to the conversation after a restart.
    ///
    /// @param words in the form of its own message
    /// @return whether that is durable; if not, it becomes so as soon as it can
    default boolean registered(WorkerId worker, JsonObject words) {
        return true;
    }

    /// A worker is there, or has changed.
    void joined(WorkerProfile profile);

    /// A worker is gone; its leases end for `reason` and its asks are forgotten.
    void left(WorkerId worker, LeaseEnd reason);

    /// The asks of a worker are refused until then, because they are too many: that is why it does not ask.
    default void limited(WorkerId worker, Instant until) {}

    /// A worker wants tasks. The answer comes to [Listener#handOut], once or not at all.
    ///
    /// @param ask names this wish; never used before
    /// @param max how many tasks at most; at least 1
    void ask(long ask, WorkerId worker, int max);

    /// A wish is over. A hand-out that was already on its way still arrives and must be returned by the caller.
    void withdraw(long ask);

    /// Those of `tokens` that `worker` holds live for `term` from now, unless they were revoked. What the conversation does not name
    /// is not renewed.
    void renew(WorkerId worker, List<LeaseToken> tokens, Duration term);

    /// Those of `tokens` that `worker` holds live for `term` from now.
    ///
    /// @return which of them it has lost
    RenewReply renewOnly(WorkerId worker, List<LeaseToken> tokens, Duration term);

    /// A lease ends without a report: the hand-out did not arrive, or came back, or a revoked one is over.
    void end(LeaseToken token, LeaseEnd reason);

    /// A worker reports how its attempt ended; durable when the call returns [CommandReply.Done].
    ///
    /// A token that is none of ours is refused as [dev.artel.kernel.job.Decision.Reason#UNKNOWN_JOB].
    ///
    /// @param cost what the attempt has cost, as far as the worker reports it
    CommandReply report(WorkerId worker, LeaseToken token, TaskReport report, ReportedCost cost);

    /// The same without a thread that waits for it: `onReply` gets the answer once, perhaps before the call returns, on a thread that must not be kept.
    ///
    /// @throws RuntimeException if the report failed before it was begun; there is no answer then
    default void report(
            WorkerId worker,
            LeaseToken token,
            TaskReport report,
            ReportedCost cost,
            Consumer<CommandReply> onReply) {
        onReply.accept(report(worker, token, report, cost));
    }

    /// The same of a worker that says nothing of the cost.
    default CommandReply report(WorkerId worker, LeaseToken token, TaskReport report) {
        return report(worker, token, report, ReportedCost.NONE);
    }

    /// A worker wants to know something before it goes on with an attempt, which waits meanwhile and takes up no slot. May be
    /// repeated: under the same [Question#id] it is the same question.
    ///
    /// @param within how long the question waits at most
    /// @param wait how long the call does
    QuestionReply question(
            WorkerId worker,
            LeaseToken token,
            Question question,
            Optional<Duration> within,
            Duration wait);

    /// Receives hand-outs and the ends of leases. Called by engine threads: must not block and not throw.
    interface Listener {
        /// Tasks for an ask, at least one; their leases are durable and live.
        ///
        /// @param ask the wish that they answer, which is over
        void handOut(long ask, WorkerId worker, List<HandOut> tasks);

        /// A lease is live that this listener does not know, as after a restart: its worker may have the task, or never
        /// have received it. What the worker was given may be missing.
        void held(HandOut task);

        /// A worker is to give up an attempt.
        void revoke(WorkerId worker, LeaseToken token);

        /// A lease is over without its worker's doing.
        void lost(WorkerId worker, LeaseToken token);
    }
}
