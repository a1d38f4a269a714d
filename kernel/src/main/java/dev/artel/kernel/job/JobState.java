package dev.artel.kernel.job;

/// The fold of a job's events.
public sealed interface JobState permits JobState.Unsubmitted, Job {
    /// The job's name.
    JobId id();

    /// How many events were folded.
    long version();

    /// A job of which nothing has happened.
    record Unsubmitted(JobId id) implements JobState {
        @Override
        public long version() {
            return 0;
        }
    }
}
