package dev.artel.access;

import dev.artel.tokens.KnownToken;
import java.time.Duration;
import java.util.Optional;

/// Whether a request may go on.
public sealed interface AuthDecision {
    /// It may.
    ///
    /// @param token with which it came
    record Admitted(Caller caller, KnownToken token) implements AuthDecision {}

    /// It may not.
    ///
    /// @param error for the sender
    /// @param detail for the sender; empty if there is nothing to add
    /// @param retryAfter when it may try again; empty if that makes no sense
    record Refused(int status, String error, String detail, Optional<Duration> retryAfter)
            implements AuthDecision {
        static Refused unauthorized(String error, String detail) {
            return new Refused(401, error, detail, Optional.empty());
        }
    }
}
