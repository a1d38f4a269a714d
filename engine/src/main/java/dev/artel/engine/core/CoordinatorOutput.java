package dev.artel.engine.core;

import dev.artel.engine.core.dispatch.DispatchSurvey;
import dev.artel.engine.core.dispatch.Forecast;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// What a [CoordinatorCore] wants done, in order.
public sealed interface CoordinatorOutput {
    /// Give a job a command; no caller waits for the answer.
    record Command(JobId job, JobCommand command) implements CoordinatorOutput {}

    /// Ask a job again for all that it asks for; no caller waits for the answer, and the same comes again until it is there.
    record Again(JobId job) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.Reserve]; the grants of some of the offers, or of none.
    record Reserved(JobId job, List<JobCommand.Grant> grants) implements CoordinatorOutput {}

    /// Tasks for an ask, whose leases are durable and live.
    record HandOuts(long ask, WorkerId worker, List<HandOut> tasks) implements CoordinatorOutput {}

    /// A lease is live that was not granted here, as after a restart.
    record Held(HandOut task) implements CoordinatorOutput {}

    /// A worker is to give up.
    record Revoked(WorkerId worker, LeaseToken token) implements CoordinatorOutput {}

    /// A lease is over without its worker's doing.
    record Lost(WorkerId worker, LeaseToken token) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.RenewedOnly]: the tokens that the worker does not hold.
    record NotHeld(long requestId, List<LeaseToken> tokens) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.Look].
    record Seen(long requestId, CoordinatorView view) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.Miss]: those that are not held.
    record Missing(long requestId, List<Effect.Indexed> effects) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.WhyNotYet], for the tasks that are queued.
    record Why(long requestId, SequencedMap<Integer, WaitReason> reasons)
            implements CoordinatorOutput {
        /// Copies `reasons`.
        public Why {
            reasons = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(reasons));
        }
    }

    /// The answer to [CoordinatorInput.Judge].
    record Judged(long requestId, List<Eligibility> eligibilities) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.Foresee].
    record Foreseen(long requestId, Forecast forecast) implements CoordinatorOutput {}

    /// The answer to [CoordinatorInput.Survey].
    record Surveyed(long requestId, DispatchSurvey survey) implements CoordinatorOutput {}

    /// A task of `type` has a worker, for which it had waited for `waited`; for figures.
    record Placed(String type, Duration waited) implements CoordinatorOutput {}

    /// The one job that this is about; empty if it is about none, or several.
    default Optional<JobId> about() {
        return switch (this) {
            case Command(var job, var _) -> Optional.of(job);
            case Again(var job) -> Optional.of(job);
            case Reserved(var job, var _) -> Optional.of(job);
            case HandOuts(long _, var _, var tasks) ->
                    tasks.stream()
                            .map(HandOut::job)
                            .findFirst()
                            .filter(first ->
                                    tasks.stream().allMatch(task -> task.job().equals(first)));
            case Held(var task) -> Optional.of(task.job());
            case Revoked(var _, var token) -> token.address().map(LeaseToken.Address::job);
            case Lost(var _, var token) -> token.address().map(LeaseToken.Address::job);
            case NotHeld _, Seen _, Missing _, Why _, Judged _, Foreseen _, Surveyed _, Placed _ ->
                    Optional.empty();
        };
    }
}
