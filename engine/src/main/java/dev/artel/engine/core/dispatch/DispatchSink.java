package dev.artel.engine.core.dispatch;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.util.List;

/// What a [DispatchCore] wants done, in order.
public interface DispatchSink {
    /// Ask `job` for the grant of an offer; [DispatchCore#granted] or [DispatchCore#lapsed] is the answer.
    void grant(JobId job, JobCommand.Grant grant);

    /// Give a worker tasks whose leases are durable and live.
    void handOut(long ask, WorkerId worker, List<HandOut> tasks);

    /// Ask `job` again for all that it asks for: there is room for its tasks, of which not all could wait.
    default void again(JobId job) {}

    /// A task of `type` has a worker, for which it had waited for `waited`.
    default void placed(String type, Duration waited) {}
}
