package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.task.TaskReport;
import dev.artel.protocol.CancelTask;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.protocol.TaskLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What is to be done, in the order given. The calls for the engine are those of
/// [dev.artel.kernel.engine.WorkerPort].
public sealed interface SessionOutput {
    /// Answers a request. After an answer with tasks the wire reports whether it was written.
    record Reply(long request, SessionReply reply) implements SessionOutput {}

    /// Has the words of a worker kept for later processes of the orchestrator, which waits; who does it answers the request, with
    /// a warning if they could not be kept. Not part of the order of the others.
    record Keep(long request, WorkerId worker, JsonObject words, RegisterAnswer answer)
            implements SessionOutput {
        /// The answer to the request.
        ///
        /// @param isKept whether the words are durable
        public SessionReply reply(boolean isKept) {
            return new SessionReply.Message(isKept ? answer : answer.withWarning(NOT_KEPT));
        }

        private static final String NOT_KEPT =
                "this registration is not on the disk yet: if the orchestrator is restarted soon, register again";
    }

    /// Registers a worker with the engine.
    record Joined(WorkerProfile profile) implements SessionOutput {}

    /// Reports to the engine that a worker is gone, or that what it held is.
    record Left(WorkerId worker, LeaseEnd reason) implements SessionOutput {}

    /// Asks the engine for tasks.
    record Ask(long ask, WorkerId worker, int max) implements SessionOutput {}

    /// Takes an ask back.
    record Withdraw(long ask) implements SessionOutput {}

    /// Renews leases of a worker, which its words confirm.
    record Renew(WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements SessionOutput {}

    /// Renews some leases of a worker, which waits for the engine; its answer is wanted as [SessionInput.Renewed].
    /// Not part of the order of the others.
    record RenewOnly(long request, WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements SessionOutput {}

    /// Gives leases that were just granted the term of their worker, which waits for the engine. Not part of the order
    /// of the others.
    record SetTerm(WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements SessionOutput {}

    /// Ends a lease.
    record End(LeaseToken token, LeaseEnd reason) implements SessionOutput {}

    /// Reports to the engine, which waits; its answer is wanted as [SessionInput.Reported]. Not part of the order
    /// of the others.
    ///
    /// @param cost what the attempt has cost, as far as the worker reports it
    record Report(
            long request,
            int index,
            WorkerId worker,
            LeaseToken token,
            TaskReport report,
            ReportedCost cost)
            implements SessionOutput {
        /// A report that says nothing of the cost.
        public Report(
                long request, int index, WorkerId worker, LeaseToken token, TaskReport report) {
            this(request, index, worker, token, report, ReportedCost.NONE);
        }
    }

    /// Passes the question of a worker that waits to the engine; the caller answers the request. Not part of the
    /// order of the others.
    ///
    /// @param within how long the question waits at most
    record Question(
            long request,
            WorkerId worker,
            LeaseToken token,
            dev.artel.kernel.question.Question question,
            Optional<Duration> within)
            implements SessionOutput {}

    /// Sends a cancel over a socket.
    record Push(long socket, CancelTask cancel) implements SessionOutput {}

    /// Pushes tasks over a channel. Each is answered by [SessionInput.TasksAccepted] or [SessionInput.TasksRefused]; one that is
    /// not goes to another worker.
    ///
    /// @param lease how long the worker holds them without a renewal
    record PushTasks(long socket, List<HandOut> tasks, Duration lease) implements SessionOutput {}

    /// Pushes tasks over a channel that an earlier process of the orchestrator gave to its worker, under the same leases; what the
    /// worker was given with them is missing here, and is in their jobs. Answered as [PushTasks].
    ///
    /// @param lease how long the worker holds them without a renewal
    record PushAgain(long socket, List<HandOut> tasks, Duration lease) implements SessionOutput {}

    /// Closes a socket.
    ///
    /// @param code a status of RFC 6455 section 7.4
    record CloseSocket(long socket, int code, String reason) implements SessionOutput {}

    /// Reports that two processes live under the name of one worker.
    ///
    /// @param current the one that registered last
    record NameShared(WorkerId worker, WorkerInstance current, WorkerInstance other)
            implements SessionOutput {
        /// What the operator of the worker should know.
        public static final String WARNING =
                "another process uses the name of this worker, and each registration of one ends the tasks of the other: give each process a name of its own";
    }

    /// Reports the progress of an attempt to observers.
    ///
    /// @param fraction from 0 to 1, as far as the worker keeps to it
    record Progressed(WorkerId worker, LeaseToken token, double fraction, String message)
            implements SessionOutput {}

    /// Keeps what a worker logs about an attempt.
    record Logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines)
            implements SessionOutput {}
}
