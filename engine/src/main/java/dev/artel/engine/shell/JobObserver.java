package dev.artel.engine.shell;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.util.List;

/// Receives what is durable, in order for each job, from engine threads: must not block and not throw. What it missed
/// while the process was down it can only read from the store.
@FunctionalInterface
public interface JobObserver {
    /// `events` are durable; `job` is their fold.
    void happened(Job job, List<JobEvent> events);

    /// `job` has been open since before the start; reported, before anything else of the job, to observers with which the engine
    /// is started, and to no others.
    default void openBefore(Job job) {}

    /// A worker has had `task` of `job` since before the start; reported when the observer is added, and to observers with which
    /// the engine is started before anything else of the job.
    default void heldBefore(JobId job, int task, WorkerId worker) {}

    /// A job has waited for a person since before the start; reported, before anything else of the job, to observers with which
    /// the engine is started, and to no others.
    default void neededBefore(PersonNeed need) {}
}
