package dev.artel.kernel.store;

import dev.artel.kernel.job.JobId;

/// The name of a stream of events.
///
/// @param kind what it is about; `job` for a job
/// @param id unique within its kind
public record StreamId(String kind, String id) {
    /// The stream of `job`.
    public static StreamId of(JobId job) {
        return new StreamId("job", job.value());
    }

    @Override
    public String toString() {
        return kind + " " + id;
    }
}
