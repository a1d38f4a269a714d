package dev.artel.kernel.engine;

import dev.artel.kernel.job.Decision;
import java.time.Duration;

/// The answer to a command for a job.
public sealed interface CommandReply {
    /// Done and durable.
    ///
    /// @param changed false if nothing had to happen
    record Done(boolean changed) implements CommandReply {}

    /// Refused by the rules; nothing happened.
    record Refused(Decision.Reason reason, String detail) implements CommandReply {}

    /// Not now; nothing happened, or the outcome is unknown and the same command may be sent again.
    record TryLater(Duration after, String detail) implements CommandReply {}
}
