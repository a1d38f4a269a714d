package dev.artel.kernel.store;

import dev.artel.kernel.job.JobEvent;
import java.util.List;

/// Events that were appended together.
///
/// @param position the place of the first one among all committed events
/// @param version the number of the first one in its stream, from 1
public record StoredEvents(long position, long version, List<JobEvent> events) {
    /// Copies `events`.
    public StoredEvents {
        events = List.copyOf(events);
    }
}
