package dev.artel.engine.core;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.engine.core.dispatch.ForecastQuestion;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What a [CoordinatorCore] takes in.
public sealed interface CoordinatorInput {
    /// See [JobsOutput.Reserve]; answered by [CoordinatorOutput.Reserved].
    record Reserve(JobId job, List<Effect.Offer> offers) implements CoordinatorInput {}

    /// See [JobsOutput.Effects].
    record Effects(JobId job, List<Effect.Indexed> asked, List<Effect.Indexed> ended)
            implements CoordinatorInput {}

    /// See [JobsOutput.AllPending].
    record AllPending(JobId job, List<Effect.Indexed> pending) implements CoordinatorInput {}

    /// See [JobsOutput.GrantLapsed].
    record GrantLapsed(LeaseToken token) implements CoordinatorInput {}

    /// See [JobsOutput.Unreadable].
    record Unreadable(JobId job) implements CoordinatorInput {}

    /// Workers are shared otherwise from now on.
    record Configured(DispatchSettings settings) implements CoordinatorInput {}

    /// A worker is there, or has changed.
    record Joined(WorkerProfile profile) implements CoordinatorInput {}

    /// A worker is gone, for `reason`.
    record Left(WorkerId worker, LeaseEnd reason) implements CoordinatorInput {}

    /// A worker wants at most `max` tasks.
    record Asked(long ask, WorkerId worker, int max) implements CoordinatorInput {}

    /// A wish is over.
    record Withdrawn(long ask) implements CoordinatorInput {}

    /// Some leases of a worker live for `term` from now, unless they were revoked.
    record Renewed(WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements CoordinatorInput {}

    /// Some leases of a worker live for `term` from now; the others are answered by [CoordinatorOutput.NotHeld].
    ///
    /// @param requestId names the question
    record RenewedOnly(long requestId, WorkerId worker, List<LeaseToken> tokens, Duration term)
            implements CoordinatorInput {}

    /// A lease ends without a report.
    record Ended(LeaseToken token, LeaseEnd reason) implements CoordinatorInput {}

    /// Why are tasks not placed? Answered by [CoordinatorOutput.Why].
    record WhyNotYet(long requestId, JobId job, List<Integer> tasks) implements CoordinatorInput {
        /// Copies `tasks`.
        public WhyNotYet {
            tasks = List.copyOf(tasks);
        }
    }

    /// What is true of single workers for a task? Answered by [CoordinatorOutput.Judged].
    ///
    /// @param only of this one alone
    /// @param limit of so many at most
    record Judge(long requestId, JobId job, int task, Optional<WorkerId> only, int limit)
            implements CoordinatorInput {}

    /// Would a task be placed now? Answered by [CoordinatorOutput.Foreseen].
    ///
    /// @param limit of so many workers at most
    record Foresee(long requestId, ForecastQuestion question, int limit)
            implements CoordinatorInput {}

    /// What waits for workers, and what do they have? Answered by [CoordinatorOutput.Surveyed].
    record Survey(long requestId) implements CoordinatorInput {}

    /// The asks of a worker are refused until then, because they are too many.
    record Limited(WorkerId worker, Instant until) implements CoordinatorInput {}

    /// A new listener is there, which must receive each lease.
    record Listened() implements CoordinatorInput {}

    /// What is on the coordinator? Answered by [CoordinatorOutput.Seen].
    record Look(long requestId) implements CoordinatorInput {}

    /// What of `effects` is held? Answered by [CoordinatorOutput.Missing].
    record Miss(long requestId, JobId job, List<Effect.Indexed> effects)
            implements CoordinatorInput {}

    /// Time has passed.
    ///
    /// @param at by the steady clock, when it was sent
    record Tick(Instant at) implements CoordinatorInput {}

    /// The one job that this is about; empty if it is about none, or several.
    default Optional<JobId> about() {
        return switch (this) {
            case Reserve(var job, var _) -> Optional.of(job);
            case Effects(var job, var _, var _) -> Optional.of(job);
            case AllPending(var job, var _) -> Optional.of(job);
            case Unreadable(var job) -> Optional.of(job);
            case WhyNotYet(long _, var job, var _) -> Optional.of(job);
            case Judge(long _, var job, int _, var _, int _) -> Optional.of(job);
            case Miss(long _, var job, var _) -> Optional.of(job);
            case GrantLapsed(var token) -> token.address().map(LeaseToken.Address::job);
            case Ended(var token, var _) -> token.address().map(LeaseToken.Address::job);
            case Configured _,
                    Joined _,
                    Left _,
                    Asked _,
                    Withdrawn _,
                    Renewed _,
                    RenewedOnly _,
                    Foresee _,
                    Survey _,
                    Limited _,
                    Listened _,
                    Look _,
                    Tick _ ->
                    Optional.empty();
        };
    }
}
