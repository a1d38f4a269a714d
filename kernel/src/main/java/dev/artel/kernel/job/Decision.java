package dev.artel.kernel.job;

import java.util.List;

/// The answer to a command.
public sealed interface Decision {
    /// The command is accepted.
    ///
    /// @param events what happened; none if nothing had to
    /// @param after the fold of them
    /// @param asked the effects that they ask for
    /// @param ended the effects that they answer or withdraw, among them some of `asked`
    record Accepted(List<JobEvent> events, JobState after, List<Effect> asked, List<Effect> ended)
            implements Decision {}

    /// The command is refused and nothing happened.
    ///
    /// @param detail what was attempted, what was found, what to do
    record Rejected(Reason reason, String detail) implements Decision {}

    /// Why a command is refused.
    enum Reason {
        /// There is no such job.
        UNKNOWN_JOB,
        /// There is no such task in the job.
        UNKNOWN_TASK,
        /// The idempotency key was used for another request.
        KEY_REUSED,
        /// The effect that the command answers is no longer pending.
        STALE_EFFECT,
        /// Another lease is held, or none.
        STALE_LEASE,
        /// The job has ended.
        FINAL,
        /// The job keeps as many of these as it can.
        FULL,
        /// The job does not wait for this, or no longer.
        NOT_AWAITED,
        /// What is chosen is not among the choices.
        NO_SUCH_CHOICE,
        /// The approval is for others to decide.
        NOT_AN_APPROVER,
        /// The token belongs to no approval of the job.
        UNKNOWN_TOKEN,
        /// The token was used; it works once.
        TOKEN_USED,
        /// The token is too old.
        TOKEN_EXPIRED
    }
}
