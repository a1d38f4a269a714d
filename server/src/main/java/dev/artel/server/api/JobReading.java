package dev.artel.server.api;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A job as its events tell it, at one moment.
///
/// @param job their fold
/// @param appends the events, oldest first
record JobReading(Job job, List<StoredEvents> appends) {
    static Optional<JobReading> of(JobId id, EventStore store) {
        var appends = store.read(StreamId.of(id), 0);
        var state = (JobState) new JobState.Unsubmitted(id);
        for (var append : appends) {
            state = Jobs.evolve(state, append.events()).after();
        }
        return state instanceof Job job
                ? Optional.of(new JobReading(job, appends))
                : Optional.empty();
    }

    Instant updated() {
        return appends.getLast().events().getLast().at();
    }

    /// The last grant of each task that had one.
    Map<Integer, JobEvent.LeaseGranted> grants() {
        var grants = new LinkedHashMap<Integer, JobEvent.LeaseGranted>();
        for (var append : appends) {
            for (var event : append.events()) {
                if (event instanceof JobEvent.LeaseGranted grant) {
                    grants.put(grant.task(), grant);
                }
            }
        }
        return grants;
    }
}
