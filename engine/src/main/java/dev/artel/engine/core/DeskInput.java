package dev.artel.engine.core;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a [DeskCore] takes in.
public sealed interface DeskInput {
    /// See [JobsOutput.Reserve]; answered by [DeskOutput.Reserved].
    record Reserve(JobId job, List<Effect.Offer> offers) implements DeskInput {}

    /// See [JobsOutput.Effects].
    record Effects(JobId job, List<Effect.Indexed> asked, List<Effect.Indexed> ended)
            implements DeskInput {}

    /// See [JobsOutput.AllPending].
    record AllPending(JobId job, List<Effect.Indexed> pending) implements DeskInput {}

    /// See [JobsOutput.GrantLapsed].
    record GrantLapsed(LeaseToken token) implements DeskInput {}

    /// Workers are shared otherwise from now on.
    record Configured(DispatchSettings settings) implements DeskInput {}

    /// A worker is there, or has changed.
    record Joined(WorkerProfile profile) implements DeskInput {}

    /// A worker is gone, for `reason`.
    record Left(WorkerId worker, LeaseEnding reason) implements DeskInput {}

    /// A worker wants at most `max` tasks.
    record Asked(long ask, WorkerId worker, int max) implements DeskInput {}

    /// A wish is over.
    record Withdrawn(long ask) implements DeskInput {}

    /// The leases of a worker live for `term` from now, except some.
    record Renewed(WorkerId worker, List<LeaseToken> except, Duration term) implements DeskInput {}

    /// Some leases of a worker live for `term` from now; the others are answered by [DeskOutput.NotHeld].
    ///
    /// @param ticket names the question
    record RenewedOnly(long ticket, WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements DeskInput {}

    /// A lease ends without a report.
    record Ended(LeaseToken token, LeaseEnding reason) implements DeskInput {}

    /// Why is a task not placed? Answered by [DeskOutput.Why].
    record WhyNotYet(long ticket, JobId job, int task) implements DeskInput {}

    /// What is true of single workers for a task? Answered by [DeskOutput.Judged].
    ///
    /// @param only of this one alone
    /// @param limit of so many at most
    record Judge(long ticket, JobId job, int task, Optional<WorkerId> only, int limit)
            implements DeskInput {}

    /// The asks of a worker are refused until then, because they are too many.
    record Limited(WorkerId worker, Instant until) implements DeskInput {}

    /// Somebody new listens, who has to hear of each lease.
    record Listened() implements DeskInput {}

    /// What is on the desk? Answered by [DeskOutput.Seen].
    record Look(long ticket) implements DeskInput {}

    /// What of `effects` is held? Answered by [DeskOutput.Missing].
    record Miss(long ticket, JobId job, List<Effect.Indexed> effects) implements DeskInput {}

    /// Time has passed.
    ///
    /// @param at by the steady clock, when it was sent
    record Tick(Instant at) implements DeskInput {}
}
