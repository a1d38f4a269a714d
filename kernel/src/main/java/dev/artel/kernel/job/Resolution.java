package dev.artel.kernel.job;

import dev.artel.kernel.task.Payload;

/// What a person knows of a task whose outcome was unknown.
public sealed interface Resolution {
    /// It had its effect.
    ///
    /// @param status the word that chooses the next state
    /// @param data what the worker would have sent
    record Happened(String status, Payload data) implements Resolution {}

    /// It had none: it is done again.
    record DidNotHappen() implements Resolution {}

    /// It has failed, for good.
    record Failed(String reason) implements Resolution {
        /// Cuts a reason that is too long.
        public Failed {
            reason = ReasonText.bounded(reason);
        }
    }
}
