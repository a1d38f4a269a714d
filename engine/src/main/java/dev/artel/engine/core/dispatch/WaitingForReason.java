package dev.artel.engine.core.dispatch;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.WaitReason;
import java.time.Instant;

/// Tasks of one type that wait for the same reason.
///
/// @param reason that of one of them
/// @param tasks how many
/// @param oldest since when the one waits that waits longest, in whole seconds
/// @param job the job of the task of which `reason` is true
/// @param task its number
public record WaitingForReason(WaitReason reason, int tasks, Instant oldest, JobId job, int task) {
    /// These and `others`, for the reason that more of them have.
    WaitingForReason with(WaitingForReason others) {
        var more = others.tasks > tasks ? others : this;
        return new WaitingForReason(
                more.reason,
                tasks + others.tasks,
                others.oldest.isBefore(oldest) ? others.oldest : oldest,
                more.job,
                more.task);
    }
}
