package dev.artel.gateway.mindbus;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/// How many commands an agent gets in a second: a bucket that holds those of one second. What is handed out at once may overdraw
/// it, which the pause after it makes up for. Safe for use by many threads.
final class CommandRate {
    private final int perSecond;
    private final InstantSource clock;
    private double left;
    private Instant counted;

    /// @param perSecond 0: no limit
    CommandRate(int perSecond, InstantSource clock) {
        this.perSecond = perSecond;
        this.clock = clock;
        this.left = perSecond;
        this.counted = clock.instant();
    }

    /// Counts commands.
    ///
    /// @return after how much time the next may follow; empty: at once
    synchronized Optional<Duration> take(int commands) {
        if (perSecond == 0) {
            return Optional.empty();
        }
        var now = clock.instant();
        var gained = Duration.between(counted, now).toNanos() / 1e9 * perSecond;
        left = Math.min(perSecond, left + gained) - commands;
        counted = now;
        return left >= 1
                ? Optional.empty()
                : Optional.of(Duration.ofMillis((long) Math.ceil((1 - left) / perSecond * 1000)));
    }
}
