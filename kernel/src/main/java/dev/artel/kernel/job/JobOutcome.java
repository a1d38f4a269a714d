package dev.artel.kernel.job;

import dev.artel.kernel.task.Payload;

/// How a job ended. There is no way out of it.
public sealed interface JobOutcome {
    /// It reached its end.
    ///
    /// @param result what it returns to its client or parent
    record Finished(Payload result) implements JobOutcome {}

    /// It cannot reach its end.
    ///
    /// @param reason for people; bounded ([ReasonText])
    record Failed(String reason) implements JobOutcome {
        /// Cuts a reason that is too long.
        public Failed {
            reason = ReasonText.bounded(reason);
        }
    }

    /// A client or its parent cancelled it.
    ///
    /// @param reason for people; bounded ([ReasonText])
    record Cancelled(String reason) implements JobOutcome {
        /// Cuts a reason that is too long.
        public Cancelled {
            reason = ReasonText.bounded(reason);
        }
    }
}
