package dev.artel.simulation.judges;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import java.util.List;

/// Judges the jobs of some blueprints beside the [Ledger].
public interface JobJudge {
    /// `event` becomes durable.
    ///
    /// @param before the job without it
    /// @param behind what becomes durable with it, after it
    void judge(Job before, JobEvent event, List<JobEvent> behind);
}
