package dev.artel.session;

import java.time.Duration;
import java.time.Instant;

/// How much may be done for cancels to sockets of which it is unknown whose they are: all of them may be the worker's, and everybody waits
/// while they are asked.
final class PushRoom {
    /// For one cancel, as long as there is room.
    static final int MOST = 2_000;

    /// For one cancel, whatever was done before it.
    static final int LEAST = 16;

    private static final int AT_ONCE = 4_000;
    private static final int A_SECOND = 1_000;

    private long left = AT_ONCE;
    private Instant filled = Instant.MIN;

    /// How many tokens may be judged and messages sent at the time `now`.
    int steps(Instant now) {
        if (filled.equals(Instant.MIN)) {
            filled = now;
        }
        var seconds = Duration.between(filled, now).toSeconds();
        if (seconds > 0) {
            left = Math.min(AT_ONCE, left + A_SECOND * Math.min(seconds, AT_ONCE));
            filled = filled.plusSeconds(seconds);
        }
        return Math.clamp(left, LEAST, MOST);
    }

    /// So many of them were.
    void take(int steps) {
        left = Math.max(0, left - steps);
    }
}
