package dev.artel.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// How long to go on after failures: pauses that double, with jitter.
///
/// @param total how long one call may try
/// @param first the first pause
/// @param longest no pause is longer, unless the orchestrator asks for it
public record ClientRetryPolicy(Duration total, Duration first, Duration longest) {
    /// Thirty seconds in all; pauses from 0.2 s to 5 s.
    public static final ClientRetryPolicy DEFAULTS =
            new ClientRetryPolicy(
                    Duration.ofSeconds(30), Duration.ofMillis(200), Duration.ofSeconds(5));

    /// Refuses what has no meaning.
    public ClientRetryPolicy {
        if (total.isNegative() || !first.isPositive() || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a retry policy needs total >= 0, 0 < first <= longest, was "
                            + total
                            + ", "
                            + first
                            + ", "
                            + longest);
        }
    }

    /// These pauses within another time in all; zero: one try.
    public ClientRetryPolicy withTotal(Duration other) {
        return new ClientRetryPolicy(other, first, longest);
    }

    /// The pause after a number of failures.
    Duration after(int failures, Duration asked) {
        var doubled = first.multipliedBy(1L << Math.min(failures - 1, 20));
        var pause = doubled.compareTo(longest) > 0 ? longest : doubled;
        var jittered =
                Duration.ofNanos(
                        (long)
                                (pause.toNanos()
                                        * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
        return asked.compareTo(jittered) > 0 ? asked : jittered;
    }
}
