package dev.artel.kernel.engine;

import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.List;

/// The answer to a [Submission].
public sealed interface SubmitReply {
    /// What the answer of `job` to the command that begins it means for the client that submitted it.
    static SubmitReply of(JobId job, CommandReply reply) {
        return switch (reply) {
            case CommandReply.Done(boolean changed) -> new Accepted(job, changed);
            case CommandReply.Refused(var reason, var detail) -> new Refused(why(reason), detail);
            case CommandReply.TryLater(var after, var detail) -> new TryLater(after, detail);
        };
    }

    private static Why why(Decision.Reason reason) {
        return switch (reason) {
            case FINAL -> Why.JOB_OVER;
            case FULL -> Why.SIGNALS_FULL;
            case KEY_REUSED,
                    UNKNOWN_JOB,
                    UNKNOWN_TASK,
                    STALE_EFFECT,
                    STALE_LEASE,
                    NOT_AWAITED,
                    NO_SUCH_CHOICE,
                    NOT_AN_APPROVER,
                    UNKNOWN_TOKEN,
                    TOKEN_USED,
                    TOKEN_EXPIRED ->
                    Why.KEY_REUSED;
        };
    }

    /// The job is durable, and with it the signal of the submission.
    ///
    /// @param created false if the same idempotency key had made it before, and no signal was new to it
    record Accepted(JobId job, boolean created) implements SubmitReply {}

    /// The submission cannot be accepted as it is.
    ///
    /// @param detail for people
    /// @param problems everything that keeps the initial data from fitting the blueprint, one by one; empty where something else is
    ///     wrong
    record Refused(Why why, String detail, List<String> problems) implements SubmitReply {
        /// Copies `problems`.
        public Refused {
            problems = List.copyOf(problems);
        }

        /// Without problems of the initial data.
        public Refused(Why why, String detail) {
            this(why, detail, List.of());
        }
    }

    /// Not now; nothing was kept.
    record TryLater(Duration after, String detail) implements SubmitReply {}

    /// Why a submission is refused.
    enum Why {
        /// No blueprint has the name.
        UNKNOWN_BLUEPRINT,
        /// The initial data do not fit the blueprint.
        INVALID_DATA,
        /// The idempotency key was used for another request.
        KEY_REUSED,
        /// The job of the key has ended, and does not receive the signal any more.
        JOB_OVER,
        /// The job of the key keeps as many signals as it may.
        SIGNALS_FULL
    }
}
