package dev.artel.schedule;

import dev.artel.kernel.job.JobId;
import dev.artel.schedule.rules.ScheduleDefinition;
import dev.artel.schedule.rules.ScheduledRun;
import java.util.Optional;

/// The orchestrator as schedules need it. Safe for use by many threads; calls block for a bounded time.
public interface ScheduledJobs {
    /// Submits the job of `run`, under its key: the same again gives the same job.
    Outcome submit(ScheduleDefinition schedule, ScheduledRun run);

    /// Cancels a job; one that has ended stays as it is.
    ///
    /// @return why it could not be asked for, so that it is to be asked for again; empty: done, or needless
    Optional<String> cancel(JobId job, String reason);

    /// The status with which a job has ended, `deleted` if it is no longer kept; empty: it has not.
    ///
    /// @throws dev.artel.kernel.store.StoreException if the store cannot be read
    Optional<String> end(JobId job);

    /// What became of a submission.
    sealed interface Outcome {
        /// The job is durable, from now on or from an earlier submission on.
        record Submitted(JobId job) implements Outcome {}

        /// There is no job.
        ///
        /// @param isFinal whether the same submission is refused each time
        record Refused(String error, boolean isFinal) implements Outcome {}

        /// There may be a job; the same submission gives it.
        record Unknown(String error) implements Outcome {}
    }
}
