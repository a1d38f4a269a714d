package dev.artel.gateway.shell;

import java.time.Instant;
import java.time.InstantSource;

/// A clock that is never set: it begins at the time of day and then follows the machine's own count, so that
/// differences are durations.
public final class MonotonicTime implements InstantSource {
    private final Instant begin;
    private final long origin = System.nanoTime();

    /// A clock that begins at `begin`.
    public MonotonicTime(Instant begin) {
        this.begin = begin;
    }

    @Override
    public Instant instant() {
        return begin.plusNanos(System.nanoTime() - origin);
    }
}
