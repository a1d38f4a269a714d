package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import java.util.List;

/// Is told of what is durable, in order for each job, by engine threads: must not block and not throw. What it missed
/// while the process was down it can only read from the store.
@FunctionalInterface
public interface JobObserver {
    /// `events` are durable; `job` is their fold.
    void happened(Job job, List<JobEvent> events);
}
