package dev.artel.kernel.task;

import java.time.Duration;

/// How often and how soon something that failed is tried again.
///
/// @param maxAttempts all tries, the first one included; at least 1
/// @param firstDelay the pause before the second try
/// @param factor by what each pause is longer than the one before; at least 1
/// @param maxDelay the longest pause
/// @param jitter the part of a pause that is left to chance, from 0 to 1: a pause of 10 s with jitter 0.2 lasts
///     8 to 12 s
public record RetryPolicy(
        int maxAttempts, Duration firstDelay, double factor, Duration maxDelay, double jitter) {
    /// Four tries, after 1, 2 and 4 seconds, give or take a fifth.
    public static final RetryPolicy DEFAULTS =
            new RetryPolicy(4, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), 0.2);

    /// One try.
    public static final RetryPolicy NEVER =
            new RetryPolicy(1, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);

    /// Refuses a policy that contradicts itself.
    public RetryPolicy {
        require(maxAttempts >= 1, "retry.max-attempts must be at least 1, was " + maxAttempts);
        require(
                !firstDelay.isNegative(),
                "retry.first-delay must not be negative, was " + firstDelay);
        require(factor >= 1 && factor <= 100, "retry.factor must be from 1 to 100, was " + factor);
        require(
                maxDelay.compareTo(firstDelay) >= 0,
                "retry.max-delay ("
                        + maxDelay
                        + ") is below retry.first-delay ("
                        + firstDelay
                        + ")");
        require(
                maxDelay.compareTo(TimeLimits.LONGEST) <= 0,
                "retry.max-delay must be at most 36500 days, was " + maxDelay);
        require(jitter >= 0 && jitter <= 1, "retry.jitter must be from 0 to 1, was " + jitter);
    }

    /// The pause after the failure number `failures`.
    ///
    /// @param failures counted from 1
    /// @param random from 0 (inclusive) to 1 (exclusive)
    public Duration delayAfter(int failures, double random) {
        var millis = firstDelay.toMillis() * Math.pow(factor, Math.min(failures - 1, 64));
        var bounded = Math.min(millis, (double) maxDelay.toMillis());
        return Duration.ofMillis(Math.round(bounded * (1 + jitter * (2 * random - 1))));
    }

    /// This policy with another number of tries.
    public RetryPolicy withMaxAttempts(int attempts) {
        return new RetryPolicy(attempts, firstDelay, factor, maxDelay, jitter);
    }

    /// This policy with pauses from `first` to `max`.
    public RetryPolicy withDelays(Duration first, Duration max) {
        return new RetryPolicy(maxAttempts, first, factor, max, jitter);
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
