package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// Callers that wait for the end of a job. Safe for use by many threads.
final class FinalWaiters {
    private final Map<JobId, Map<Long, CompletableFuture<Job>>> waiting = new ConcurrentHashMap<>();
    private final AtomicLong last = new AtomicLong();

    /// A caller's place.
    record Place(JobId job, long number, CompletableFuture<Job> end) {}

    Place await(JobId job) {
        var place = new Place(job, last.incrementAndGet(), new CompletableFuture<>());
        waiting.compute(
                job,
                (_, others) -> {
                    var all =
                            others == null
                                    ? new LinkedHashMap<Long, CompletableFuture<Job>>(2)
                                    : others;
                    all.put(place.number(), place.end());
                    return all;
                });
        return place;
    }

    void forget(Place place) {
        waiting.computeIfPresent(
                place.job(),
                (_, all) -> {
                    all.remove(place.number());
                    return all.isEmpty() ? null : all;
                });
    }

    void ended(Job job) {
        var all = waiting.remove(job.id());
        if (all != null) {
            all.values().forEach(end -> end.complete(job));
        }
    }
}
