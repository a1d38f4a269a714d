package dev.artel.server.feed;

import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Wakes those who wait for events of a job, or of any job. Reports only that there is an event: what it is they read
/// from the store. Safe for use by many threads.
public final class EventWaiters implements JobObserver {
    private final Map<JobId, Set<EventWaiter>> ofJobs = new ConcurrentHashMap<>();
    private final Set<EventWaiter> ofAll = ConcurrentHashMap.newKeySet();

    /// Rings for events of any job, until it is closed.
    EventWaiter ofAll() {
        var eventWaiter = new EventWaiter(ofAll::remove);
        ofAll.add(eventWaiter);
        return eventWaiter;
    }

    /// Rings for events of a job, until it is closed.
    EventWaiter of(JobId job) {
        var eventWaiter =
                new EventWaiter(silent ->
                        ofJobs.computeIfPresent(
                                job,
                                (_, eventWaiters) -> {
                                    eventWaiters.remove(silent);
                                    return eventWaiters.isEmpty() ? null : eventWaiters;
                                }));
        ofJobs.compute(
                job,
                (_, present) -> {
                    Set<EventWaiter> eventWaiters =
                            present == null ? ConcurrentHashMap.newKeySet() : present;
                    eventWaiters.add(eventWaiter);
                    return eventWaiters;
                });
        return eventWaiter;
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        ofAll.forEach(EventWaiter::ring);
        if (!ofJobs.isEmpty()) {
            ofJobs.getOrDefault(job.id(), Set.of()).forEach(EventWaiter::ring);
        }
    }
}
