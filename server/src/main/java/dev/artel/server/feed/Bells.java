package dev.artel.server.feed;

import dev.artel.engine.shell.JobObserver;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Wakes those who wait for events of a job, or of any job. Says only that there is something: what it is they read
/// from the store. Safe for use by many threads.
public final class Bells implements JobObserver {
    private final Map<JobId, Set<Bell>> ofJobs = new ConcurrentHashMap<>();
    private final Set<Bell> ofAll = ConcurrentHashMap.newKeySet();

    /// Rings for events of any job, until it is closed.
    Bell ofAll() {
        var bell = new Bell(ofAll::remove);
        ofAll.add(bell);
        return bell;
    }

    /// Rings for events of a job, until it is closed.
    Bell of(JobId job) {
        var bell =
                new Bell(silent ->
                        ofJobs.computeIfPresent(
                                job,
                                (_, bells) -> {
                                    bells.remove(silent);
                                    return bells.isEmpty() ? null : bells;
                                }));
        ofJobs.compute(
                job,
                (_, present) -> {
                    Set<Bell> bells = present == null ? ConcurrentHashMap.newKeySet() : present;
                    bells.add(bell);
                    return bells;
                });
        return bell;
    }

    @Override
    public void happened(Job job, List<JobEvent> events) {
        ofAll.forEach(Bell::ring);
        if (!ofJobs.isEmpty()) {
            ofJobs.getOrDefault(job.id(), Set.of()).forEach(Bell::ring);
        }
    }
}
