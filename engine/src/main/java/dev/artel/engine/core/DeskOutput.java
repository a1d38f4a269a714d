package dev.artel.engine.core;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.delivery.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Verdict;
import dev.artel.kernel.placement.WaitReason;
import java.util.List;
import java.util.Optional;

/// What a [DeskCore] wants done, in order.
public sealed interface DeskOutput {
    /// Give a job a command; nobody waits for the answer.
    record Command(JobId job, JobCommand command) implements DeskOutput {}

    /// The answer to [DeskInput.Reserve]; the grants of some of the offers, or of none.
    record Reserved(JobId job, List<JobCommand.Grant> grants) implements DeskOutput {}

    /// Tasks for an ask, whose leases are durable and live.
    record HandOuts(long ask, WorkerId worker, List<HandOut> tasks) implements DeskOutput {}

    /// A lease is live that was not granted here, as after a restart.
    record Held(HandOut task) implements DeskOutput {}

    /// A worker is to give up.
    record Revoked(WorkerId worker, LeaseToken token) implements DeskOutput {}

    /// A lease is over without its worker's doing.
    record Lost(WorkerId worker, LeaseToken token) implements DeskOutput {}

    /// The answer to [DeskInput.RenewedOnly]: the tokens that the worker does not hold.
    record NotHeld(long ticket, List<LeaseToken> tokens) implements DeskOutput {}

    /// The answer to [DeskInput.Look].
    record Seen(long ticket, DeskView view) implements DeskOutput {}

    /// The answer to [DeskInput.Miss]: those that are not held.
    record Missing(long ticket, List<Effect.Indexed> effects) implements DeskOutput {}

    /// The answer to [DeskInput.WhyNotYet]; empty if the task is not queued.
    record Why(long ticket, Optional<WaitReason> reason) implements DeskOutput {}

    /// The answer to [DeskInput.Judge].
    record Judged(long ticket, List<Verdict> verdicts) implements DeskOutput {}
}
