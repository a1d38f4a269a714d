package dev.artel.engine.shell;

import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/// Callers that wait for the end of a job. Safe for use by many threads.
final class FinalWaiters {
    private final Map<JobId, List<CompletableFuture<Job>>> waiting = new ConcurrentHashMap<>();

    CompletableFuture<Job> await(JobId job) {
        var future = new CompletableFuture<Job>();
        waiting.compute(
                job,
                (_, others) -> {
                    var all = others == null ? new ArrayList<CompletableFuture<Job>>(1) : others;
                    all.add(future);
                    return all;
                });
        return future;
    }

    void forget(JobId job, CompletableFuture<Job> future) {
        waiting.computeIfPresent(
                job,
                (_, all) -> {
                    all.remove(future);
                    return all.isEmpty() ? null : all;
                });
    }

    void ended(Job job) {
        var all = waiting.remove(job.id());
        if (all != null) {
            all.forEach(future -> future.complete(job));
        }
    }
}
