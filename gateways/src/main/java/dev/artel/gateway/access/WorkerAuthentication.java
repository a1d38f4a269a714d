package dev.artel.gateway.access;

import dev.artel.kernel.attempt.WorkerId;
import org.jspecify.annotations.Nullable;

/// Decides who may act as which worker. Safe for use by many threads; compares secrets in constant time.
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
    /// @param claimed the name that the sender claims; null if it claims none
    Decision check(String token, @Nullable WorkerId claimed);

    /// As [#check], for a token on which nothing depends but whose it is: one that is good for nothing does not count as a failed login.
    default Decision judge(String token, @Nullable WorkerId claimed) {
        return check(token, claimed);
    }
}
