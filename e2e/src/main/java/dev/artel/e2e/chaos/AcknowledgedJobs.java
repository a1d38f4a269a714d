package dev.artel.e2e.chaos;

import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/// The jobs that the orchestrator acknowledged. Safe for use by many threads.
final class AcknowledgedJobs {
    private final Queue<Entry> jobs = new ConcurrentLinkedQueue<>();
    private final Map<String, String> byKey = new ConcurrentHashMap<>();

    /// An acknowledged job.
    ///
    /// @param declined whether its payment is declined
    record Entry(
            String id, JobKind jobKind, String client, boolean declined, boolean withWebhook) {}

    /// Takes down a job.
    ///
    /// @param key under which it was submitted
    /// @return another job that was acknowledged under the same key, which must not be
    synchronized Optional<String> acknowledged(String key, Entry job) {
        var before = byKey.putIfAbsent(key, job.id());
        if (before == null) {
            jobs.add(job);
        }
        return Optional.ofNullable(before).filter(id -> !id.equals(job.id()));
    }

    /// All jobs, in the order of their acknowledgements.
    Queue<Entry> jobs() {
        return jobs;
    }
}
