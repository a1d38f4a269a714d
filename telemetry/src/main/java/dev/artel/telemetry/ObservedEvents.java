package dev.artel.telemetry;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// What happened to jobs, until spans are made of it: bounded by the number of appends, and by about how many bytes they take. Safe for use by
/// many threads.
final class ObservedEvents {
    private static final int MOST = 8_192;

    /// About how many bytes they may take.
    static final long MOST_BYTES = Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 32);

    private final BlockingQueue<Waiting> queue = new ArrayBlockingQueue<>(MOST);
    private final AtomicLong bytes = new AtomicLong();

    /// What has happened to a job.
    ///
    /// @param version of the last of `events`
    record Observed(
            JobId job, long version, List<JobEvent> events, int branches, int tasks, int children) {
        long before() {
            return version - events.size();
        }
    }

    private record Waiting(Observed observed, long bytes) {}

    /// Adds `observed`; false if there is no room.
    boolean offer(Observed observed) {
        var its = EventMemory.of(observed.events());
        if (bytes.addAndGet(its) <= MOST_BYTES && queue.offer(new Waiting(observed, its))) {
            return true;
        }
        bytes.addAndGet(-its);
        return false;
    }

    /// Takes the next one; null if none comes within a second.
    @Nullable Observed poll() throws InterruptedException {
        var next = queue.poll(1, TimeUnit.SECONDS);
        if (next == null) {
            return null;
        }
        bytes.addAndGet(-next.bytes());
        return next.observed();
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }
}
