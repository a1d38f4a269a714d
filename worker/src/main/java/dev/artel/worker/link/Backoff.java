package dev.artel.worker.link;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// How long to wait after failures in a row: doubles up to a limit, with full jitter, so that many workers
/// that lost the same orchestrator do not come back at the same moment.
///
/// @param first the longest wait after one failure
/// @param longest the longest wait after any number
public record Backoff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 20;
    private static final int SMALLEST_PART = 10;

    /// Refuses a limit that is passed at once.
    public Backoff {
        if (!first.isPositive() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a backoff grows from a positive time, was " + first + " to " + longest);
        }
    }

    /// A random wait after `failures` failures in a row, from a tenth of what is allowed to all of it.
    Duration after(int failures) {
        var doublings = Math.clamp(failures - 1L, 0, MOST_DOUBLINGS);
        var most = Math.min(longest.toNanos(), first.toNanos() << doublings);
        return Duration.ofNanos(
                ThreadLocalRandom.current().nextLong(most / SMALLEST_PART, most + 1));
    }

    /// A random time up to `most`.
    static Duration random(Duration most) {
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(most.toNanos() + 1));
    }

    Backoff upTo(Duration limit) {
        return limit.compareTo(first) < 0 ? new Backoff(limit, limit) : new Backoff(first, limit);
    }
}
