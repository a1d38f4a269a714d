package dev.artel.kernel.store;

import dev.artel.kernel.job.JobEvent;
import java.util.List;

/// Events to be written behind those that a stream has, with the row by which the job is found.
///
/// @param expected the version that the stream must have: the number of its events
/// @param events at least one
/// @param row what the job looks like after them
public record Append(StreamId stream, long expected, List<JobEvent> events, JobRow row) {
    /// Refuses an append of nothing.
    public Append {
        if (events.isEmpty()) {
            throw new IllegalArgumentException("append to " + stream + " has no events");
        }
        events = List.copyOf(events);
    }
}
