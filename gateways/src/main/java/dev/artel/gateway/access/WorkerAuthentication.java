package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import org.jspecify.annotations.Nullable;

/// Says who may speak as which worker. Safe for use by many threads; compares secrets in constant time.
@FunctionalInterface
public interface WorkerAuthentication {
    /// What a token is worth.
    sealed interface Decision {
        /// The token is that of one worker.
        record Named(WorkerId worker) implements Decision {}

        /// The token is valid for every worker that the sender claims to be.
        record Unnamed() implements Decision {}

        /// The token is good for nothing.
        ///
        /// @param error why, for the sender
        record Refused(String error) implements Decision {}
    }

    /// Judges the token of a message.
    ///
    /// @param claimed who the sender says it is; null if it does not say
    Decision check(String token, @Nullable WorkerId claimed);
}
