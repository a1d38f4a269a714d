package dev.artel.kernel.fleet;

import java.time.Duration;

/// When a worker whose attempts fail one after another is suspended, and for how long.
///
/// @param failures after how many failed attempts in a row; at least 1
/// @param pause how long the first time
/// @param longest the longest suspension: each one that follows without a success between them is twice as long as the one before
public record BreakerPolicy(int failures, Duration pause, Duration longest) {
    private static final int MOST_DOUBLINGS = 32;

    /// Three failures, one minute, at most one hour.
    public static final BreakerPolicy DEFAULTS =
            new BreakerPolicy(3, Duration.ofMinutes(1), Duration.ofHours(1));

    /// Refuses what would never suspend, or never end.
    public BreakerPolicy {
        if (failures < 1) {
            throw new IllegalArgumentException(
                    "a breaker opens after at least 1 failure, was " + failures);
        }
        if (!pause.isPositive() || longest.compareTo(pause) < 0) {
            throw new IllegalArgumentException(
                    "a suspension must be positive and at most the longest one, was "
                            + pause
                            + " of "
                            + longest);
        }
    }

    /// How long a worker is suspended.
    ///
    /// @param before how often it was since its last success
    Duration pauseAfter(int before) {
        var next = pause;
        for (var i = 0; i < Math.min(before, MOST_DOUBLINGS) && next.compareTo(longest) < 0; i++) {
            next = next.multipliedBy(2);
        }
        return next.compareTo(longest) < 0 ? next : longest;
    }
}
