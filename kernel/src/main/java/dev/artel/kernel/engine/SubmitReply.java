package dev.artel.kernel.engine;

import dev.artel.kernel.job.JobId;
import java.time.Duration;

/// The answer to a [Submission].
public sealed interface SubmitReply {
    /// What the answer of `job` to the command that begins it means for the client that submitted it.
    static SubmitReply of(JobId job, CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> new Accepted(job, changed);
            case CommandReply.Refused(var _, var detail) -> new Refused(Why.KEY_REUSED, detail);
            case CommandReply.TryLater(var after, var detail) -> new TryLater(after, detail);
        };
    }

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
