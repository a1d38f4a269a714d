package dev.artel.kernel.engine;

import dev.artel.kernel.job.JobId;
import java.time.Duration;

/// The answer to a [Submission].
public sealed interface SubmitReply {
    /// The job is durable.
    ///
    /// @param created false if the same idempotency key had made it before
    record Accepted(JobId job, boolean created) implements SubmitReply {}

    /// The submission cannot be accepted as it is.
    record Refused(Why why, String detail) implements SubmitReply {}

    /// Not now; nothing was kept.
    record TryLater(Duration after, String detail) implements SubmitReply {}

    /// Why a submission is refused.
    enum Why {
        /// No blueprint has the name.
        UNKNOWN_BLUEPRINT,
        /// The initial data do not fit the blueprint.
        INVALID_DATA,
        /// The idempotency key was used for another request.
        KEY_REUSED
    }
}
