package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Callers that wait for the end of a job. Safe for use by many threads.
final class CompletionWaiters {
    private final Map<JobId, Set<Place>> waiting = new ConcurrentHashMap<>();
    private volatile boolean stopped;

    /// A caller's place, known by itself alone.
    static final class Place {
        private final JobId job;
        private final CompletableFuture<Job> end = new CompletableFuture<>();

        private Place(JobId job) {
            this.job = job;
        }

        /// Completed with the job when it has ended; cancelled when the caller no longer waits.
        CompletableFuture<Job> end() {
            return end;
        }
    }

    Place await(JobId job) {
        var place = new Place(job);
        waiting.compute(
                job,
                (_, others) -> {
                    var all = others == null ? ConcurrentHashMap.<Place>newKeySet() : others;
                    all.add(place);
                    return all;
                });
        if (stopped) {
            place.end.cancel(false);
        }
        return place;
    }

    void forget(Place place) {
        waiting.computeIfPresent(
                place.job,
                (_, all) -> {
                    all.remove(place);
                    return all.isEmpty() ? null : all;
                });
    }

    void ended(Job job) {
        var all = waiting.remove(job.id());
        if (all != null) {
            all.forEach(place -> place.end.complete(job));
        }
    }

    /// Ends all waits, now and later.
    void stop() {
        stopped = true;
        waiting.values().forEach(all -> all.forEach(place -> place.end.cancel(false)));
    }
}
