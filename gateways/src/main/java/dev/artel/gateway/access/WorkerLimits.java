package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.util.Optional;

/// Decides whether a worker asks too often. Safe for use by many threads; must not wait.
public interface WorkerLimits {
    /// What workers ask, counted apart: a worker with too many heartbeats still gets tasks.
    enum Kind {
        /// A sign of life.
        HEARTBEAT,
        /// A wish for tasks. One that brings some is given back.
        POLL,
        /// Anything else. A result that is accepted is given back.
        OTHER
    }

    /// As often as they like.
    WorkerLimits NONE =
            new WorkerLimits() {
                @Override
                public Optional<Duration> take(WorkerId worker, Kind kind) {
                    return Optional.empty();
                }

                @Override
                public void giveBack(WorkerId worker, Kind kind) {}
            };

    /// Counts a request.
    ///
    /// @return how long the worker is to wait, and the request is not counted; empty if it may go on
    Optional<Duration> take(WorkerId worker, Kind kind);

    /// Counts what a worker sends for it to be kept.
    ///
    /// @return how long the worker is to wait, and nothing is counted; empty if it may go on
    default Optional<Duration> takeBytes(WorkerId worker, long bytes) {
        return Optional.empty();
    }

    /// Counts a message with a token that is not good, from the address `from`.
    ///
    /// @param reason why it is refused, for the log
    /// @return how long to wait before more of that address is looked at; empty if it is refused like any other
    default Optional<Duration> refused(String from, String reason) {
        return Optional.empty();
    }

    /// How many connections stay open under each token.
    default TokenConnections connections() {
        return new TokenConnections(() -> 0);
    }

    /// A request that was counted did some good, and counts no more.
    void giveBack(WorkerId worker, Kind kind);
}
