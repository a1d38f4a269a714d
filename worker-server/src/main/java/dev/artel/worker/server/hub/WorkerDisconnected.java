package dev.artel.worker.server.hub;

import java.util.List;

/// The end of a worker's session. Each session that began has exactly one.
///
/// @param worker the worker as it was last, with the requests that it had in work
/// @param reason why it ended
/// @param closeCode the code with which the connection is closed, by either side
/// @param closeReason the text beside the code
public record WorkerDisconnected(
        PooledWorker worker, Reason reason, int closeCode, String closeReason) {
    /// Why a session ended.
    public enum Reason {
        /// The connection was closed by the worker, or broke.
        CLOSED,
        /// Another connection registered the same id.
        REPLACED,
        /// No heartbeat came for three times the timeout.
        HEARTBEAT_TIMEOUT,
        /// The worker broke the protocol: three frames that are no messages, a registration that is not valid, a
        /// heartbeat for another worker, a message that is too large, too many messages.
        PROTOCOL_ERROR,
        /// The worker tried to register again and was refused.
        REFUSED,
        /// The worker took messages more slowly than it was sent some.
        SLOW_CONSUMER,
        /// A message could not be sent.
        SEND_FAILED,
        /// The worker was draining and has finished its work.
        DRAINED,
        /// The worker was draining and its time was over.
        DRAIN_DEADLINE,
        /// [WorkerHub#disconnect] was called.
        DISCONNECTED,
        /// The hub stopped.
        STOPPED
    }

    /// The ids of the requests that the worker had in work, oldest first.
    public List<String> pendingIds() {
        return worker.requests().pendingIds();
    }
}
