package dev.artel.session;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.HeartbeatAnswer;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.ResultAnswer;
import java.time.Duration;
import java.util.List;

/// What a request is answered.
public sealed interface SessionReply {
    /// A complete message.
    record Message(OrchestratorMessage message) implements SessionReply {}

    /// A heartbeat was taken.
    ///
    /// @param record what is known of the worker, in the form of its own messages; empty where it sent nothing new
    /// @param lost what the worker lists and did not hold when it listed that before; a worker of several orchestrators may list what it
    ///     has of others
    record Refreshed(HeartbeatAnswer answer, JsonObject record, List<LeaseToken> lost)
            implements SessionReply {
        /// Copies `lost`.
        public Refreshed {
            lost = List.copyOf(lost);
        }

        /// One to a worker that lists nothing but what it holds, or lists nothing.
        public Refreshed(HeartbeatAnswer answer, JsonObject record) {
            this(answer, record, List.of());
        }
    }

    /// Tasks for the worker, at least one.
    ///
    /// @param lease how long it holds them without a renewal
    /// @param form how the worker understands them
    record Tasks(List<HandOut> tasks, Duration lease, Form form) implements SessionReply {}

    /// How an answer with tasks is written.
    enum Form {
        /// As the task itself.
        SINGLE,
        /// As a list.
        LIST
    }

    /// No task came in time.
    record NoTask() implements SessionReply {}

    /// What became of each result, in their order.
    record Results(List<ResultAnswer> answers) implements SessionReply {}

    /// Done, and there is nothing to add.
    record Done() implements SessionReply {}

    /// The workers that are there.
    record Workers(List<WorkerSnapshot> workers) implements SessionReply {}

    /// The worker must register first.
    record UnknownWorker() implements SessionReply {}

    /// The worker asks for too much at once.
    record TooMany(Duration after, String detail) implements SessionReply {}

    /// Not now; nothing happened, or the request may be repeated without harm.
    record TryLater(Duration after, String detail) implements SessionReply {}
}
