package dev.artel.session;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.CommandReply;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.engine.RenewReply;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.protocol.Register;
import dev.artel.protocol.SocketMessage;
import dev.artel.protocol.TaskResult;
import dev.artel.protocol.WorkerMessage;
import java.time.Instant;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// What the conversation receives from wires, from the engine and from the clock.
///
/// The number of a request is never used twice; each request is answered once, by a [SessionOutput.Reply].
public sealed interface SessionInput {
    /// The registration of a worker with an earlier process of the orchestrator. Comes before anything that the worker
    /// sends to this one; those that were seen last come last.
    record Recalled(WorkerId worker, Register registered) implements SessionInput {}

    /// What others know of a worker has changed: if it is there, the engine receives its profile anew.
    record Reviewed(WorkerId worker) implements SessionInput {}

    /// A worker sends a message. A poll is answered when there is a task or the time is up.
    ///
    /// @param worker who it is by the wire's authentication, whatever the message claims
    record Said(long request, WorkerId worker, WorkerMessage message) implements SessionInput {}

    /// A worker reports several results at once.
    record SaidResults(long request, WorkerId worker, List<TaskResult> results)
            implements SessionInput {
        /// Copies `results`.
        public SaidResults {
            results = List.copyOf(results);
        }
    }

    /// The one who sent a request is gone. Means something for polls that wait, nothing otherwise.
    record RequestAbandoned(long request) implements SessionInput {}

    /// The answer with tasks has left for the worker.
    record TasksWritten(long request) implements SessionInput {}

    /// The answer with tasks was not written: the worker does not have them.
    ///
    /// @param why they are returned
    record TasksNotWritten(long request, LeaseEnd.Returned why) implements SessionInput {}

    /// A socket is open.
    ///
    /// @param socket its number, never used twice
    /// @param worker null if the wire does not know it
    /// @param wire the name of the wire on which the worker is
    record SocketOpened(long socket, @Nullable WorkerId worker, String wire)
            implements SessionInput {
        /// A socket beside HTTP.
        public SocketOpened(long socket, @Nullable WorkerId worker) {
            this(socket, worker, WorkerProfile.HTTP);
        }
    }

    /// A socket beside HTTP is open of which it is unknown whose it is.
    ///
    /// @param socket its number, never used twice
    /// @param mayBe which workers it may be that of, by its token; equal for sockets of one token, so that it is asked once for all of them
    record NamelessOpened(long socket, Predicate<WorkerId> mayBe) implements SessionInput {}

    /// A channel is open over which tasks are pushed to a worker, which has registered: a socket that takes the place of the one
    /// that the worker has.
    ///
    /// @param socket its number, never used twice
    record ChannelOpened(long socket, WorkerId worker, PushTerms terms) implements SessionInput {}

    /// The worker of a channel has accepted tasks.
    record TasksAccepted(long socket, List<LeaseToken> tokens) implements SessionInput {
        /// Copies `tokens`.
        public TasksAccepted {
            tokens = List.copyOf(tokens);
        }
    }

    /// The worker of a channel refuses tasks, or they could not be sent to it. Nothing is pushed to it until
    /// [ChannelResumed].
    record TasksRefused(long socket, List<LeaseToken> tokens, LeaseEnd.Returned reason)
            implements SessionInput {
        /// Copies `tokens`.
        public TasksRefused {
            tokens = List.copyOf(tokens);
        }
    }

    /// Tasks were sent over a channel, and it is not known whether they arrived. Nothing is pushed to its worker until
    /// [ChannelResumed].
    record TasksDoubted(long socket, List<LeaseToken> tokens) implements SessionInput {
        /// Copies `tokens`.
        public TasksDoubted {
            tokens = List.copyOf(tokens);
        }
    }

    /// What the worker of a channel had of an earlier process of the orchestrator is to be pushed again, unless something was heard of
    /// it since: for wires whose workers do not report what they have, and take a task once however often it comes.
    ///
    /// @param namesTasks whether the worker names what it has all the same
    record ChannelRepeats(long socket, boolean namesTasks) implements SessionInput {}

    /// The worker of a channel takes tasks again.
    record ChannelResumed(long socket) implements SessionInput {}

    /// A worker sends a message about a task over a socket.
    record SocketSaid(long socket, SocketMessage message) implements SessionInput {}

    /// A socket or a channel is closed.
    record SocketClosed(long socket) implements SessionInput {}

    /// The engine answers an ask.
    record HandedOut(long ask, WorkerId worker, List<HandOut> tasks) implements SessionInput {
        /// Copies `tasks`.
        public HandedOut {
            tasks = List.copyOf(tasks);
        }
    }

    /// A lease is live that this conversation has not handed out.
    record Held(HandOut task) implements SessionInput {}

    /// The engine wants an attempt to be given up.
    record Revoked(WorkerId worker, LeaseToken token) implements SessionInput {}

    /// The engine has ended a lease.
    record LeaseLost(WorkerId worker, LeaseToken token) implements SessionInput {}

    /// The engine has answered a [SessionOutput.Report].
    ///
    /// @param index which result of the request
    record Reported(long request, int index, CommandReply reply) implements SessionInput {}

    /// The engine has answered a [SessionOutput.RenewOnly].
    record Renewed(long request, RenewReply reply) implements SessionInput {}

    /// Asks which workers are there; answered by [SessionReply.Workers].
    record ListWorkers(long request) implements SessionInput {}

    /// Time has passed. Comes at least once a second; a pause of more than three seconds between two of them is taken for
    /// a standstill of the whole process, in which no message could be received.
    ///
    /// @param at when it was sent
    record Tick(Instant at) implements SessionInput {}
}
