package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// Why a task that is queued has no worker yet.
final class Why {
    private Why() {}

    static WaitReason of(DispatchCore core, JobId job, int task, Instant now) {
        var reasons = core.questions().whyNotYet(job, List.of(task), now);
        assertThat(reasons).containsOnlyKeys(task);
        return Objects.requireNonNull(reasons.get(task));
    }
}
