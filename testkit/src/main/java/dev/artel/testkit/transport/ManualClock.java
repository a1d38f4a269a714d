package dev.artel.testkit.transport;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/// A clock that stands still until it is moved. Safe for use by many threads.
public final class ManualClock implements InstantSource {
    private final AtomicReference<Instant> now =
            new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));

    @Override
    public Instant instant() {
        return now.get();
    }

    /// Lets time pass.
    public void advance(Duration time) {
        now.updateAndGet(instant -> instant.plus(time));
    }
}
