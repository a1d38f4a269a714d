package dev.artel.server.api.jobs;

import dev.artel.access.Caller;
import dev.artel.kernel.store.EventStore;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.ConcurrentHashMap;

/// How many jobs there are in each status, for everybody, and for each client that sees its own alone. Counted at most once a
/// second, and so seldom that a twentieth of the time is spent on it: open jobs are counted one by one. Safe for use by many
/// threads.
public final class JobCounts {
    /// So many of its own jobs are counted for a client that sees no others.
    private static final int COUNTED_JOBS = 10_000;

    /// For so long counts are good at least.
    private static final Duration COUNTED = Duration.ofSeconds(1);

    /// One part in so many of the time is spent on counting.
    private static final int PARTS = 20;

    private final EventStore store;

    /// As many as there are clients, and one of all jobs.
    private final Map<Optional<String>, Kept> counts = new ConcurrentHashMap<>();

    /// Counts of the jobs of `store`.
    public JobCounts(EventStore store) {
        this.store = store;
    }

    /// Those of the jobs that `caller` sees; of its own jobs a client sees counted the newest 10,000.
    public SequencedMap<String, Long> of(Caller caller) {
        return of(caller.onlyClient());
    }

    /// Those of all jobs.
    public SequencedMap<String, Long> ofAll() {
        return of(Optional.empty());
    }

    private SequencedMap<String, Long> of(Optional<String> only) {
        return counts.computeIfAbsent(only, Kept::new).get();
    }

    /// Counts that are good for a while. Guarded by itself.
    private final class Kept {
        private final Optional<String> only;
        private SequencedMap<String, Long> found = new LinkedHashMap<>();
        private long goodUntil = System.nanoTime();

        Kept(Optional<String> only) {
            this.only = only;
        }

        synchronized SequencedMap<String, Long> get() {
            var begun = System.nanoTime();
            if (begun - goodUntil >= 0) {
                found = Collections.unmodifiableSequencedMap(count(only));
                var took = System.nanoTime() - begun;
                goodUntil = begun + Math.max(COUNTED.toNanos(), PARTS * took);
            }
            return found;
        }
    }

    private SequencedMap<String, Long> count(Optional<String> only) {
        var found = new LinkedHashMap<String, Long>();
        only.map(client -> store.countByStatus(client, COUNTED_JOBS))
                .orElseGet(store::countByStatus)
                .forEach(count -> found.put(count.status(), count.jobs()));
        return found;
    }
}
