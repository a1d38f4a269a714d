package dev.artel.worker.server.hub;

import dev.artel.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A request that is no longer in flight although no worker settled it. The hub has forgotten it; who still wants an answer
/// dispatches the message again.
///
/// @param requestId its id
/// @param workerId who had it last; null if it was waiting for a worker
/// @param model the model that it asked for; null if it asked for none
/// @param category its category; null if it has none
/// @param message what the workers received; null if it was tracked by [WorkerHub#trackRequest], or sent by
///     [WorkerHub#dispatchTo]
/// @param attempts how many workers got it
/// @param reason why it is orphaned
public record OrphanedRequest(
        String requestId,
        @Nullable String workerId,
        @Nullable String model,
        @Nullable String category,
        @Nullable JsonObject message,
        int attempts,
        Reason reason) {
    /// Why a request is orphaned.
    public enum Reason {
        /// Its worker was lost, perhaps while it was sent, and it had no attempt left or no message to be dispatched again.
        WORKER_LOST,
        /// Its worker did not confirm it in time, and it had no attempt left.
        NOT_ACCEPTED,
        /// It could not be sent, and it had no attempt left.
        NOT_SENT,
        /// It was in flight for as long as it may.
        DEADLINE,
        /// Too many requests waited for another worker.
        TOO_MANY_WAITING,
        /// The hub stopped.
        STOPPED
    }
}
