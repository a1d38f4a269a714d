package dev.artel.worker.server.hub;

import java.time.Duration;
import java.time.Instant;

/// How many messages a peer may still send: so many each second, and twice as many at once.
final class MessageRate {
    private final int perSecond;
    private double left;
    private Instant seen;

    MessageRate(int perSecond, Instant now) {
        this.perSecond = perSecond;
        this.left = 2.0 * perSecond;
        this.seen = now;
    }

    /// Whether one more may come at `now`.
    boolean take(Instant now) {
        var seconds = Duration.between(seen, now).toNanos() / 1e9;
        left = Math.min(2.0 * perSecond, left + seconds * perSecond);
        seen = now;
        if (left < 1) {
            return false;
        }
        left -= 1;
        return true;
    }
}
