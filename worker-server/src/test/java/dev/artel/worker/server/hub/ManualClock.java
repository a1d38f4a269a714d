package dev.artel.worker.server.hub;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// A clock that stands until a test moves it.
final class ManualClock implements InstantSource {
    private Instant now;

    ManualClock(Instant now) {
        this.now = now;
    }

    @Override
    public synchronized Instant instant() {
        return now;
    }

    synchronized void advance(Duration span) {
        now = now.plus(span);
    }
}
