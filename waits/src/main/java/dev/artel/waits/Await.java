package dev.artel.waits;

import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/// How tests wait for what another thread or process does: for progress, never for a pace. Each wait has the one deadline [#longest], which a machine keeps
/// that is five times slower than the one that the tests were written on. A wait that gives up throws an [AssertionError] with what was awaited, the last value
/// or failure of the condition, all [Evidence] and the threads.
///
/// Safe for use by many threads.
public final class Await {
    /// The system property by which all deadlines are multiplied, such as `0.1` or `3`.
    public static final String FACTOR = "waits.factor";

    /// The environment variable that holds where the property is not set.
    public static final String FACTOR_VARIABLE = "ARTEL_WAITS_FACTOR";

    /// Seconds after which JUnit ends a test that hangs, for `@Timeout`: several waits in vain end before.
    public static final int HUNG = 900;

    private static final Duration LONGEST = Duration.ofMinutes(3);

    private Await() {}

    /// How long one wait lasts at most: for the next step of what is awaited, and not for all of them together.
    public static Duration longest() {
        return Duration.ofMillis(Math.round(LONGEST.toMillis() * factor()));
    }

    /// [#longest] in seconds, for waits of the JDK: `future.get(Await.seconds(), SECONDS)`.
    public static long seconds() {
        return Math.max(1, longest().toSeconds());
    }

    private static double factor() {
        return Optional.ofNullable(System.getProperty(FACTOR))
                .or(() -> Optional.ofNullable(System.getenv(FACTOR_VARIABLE)))
                .map(Double::valueOf)
                .filter(it -> it > 0)
                .orElse(1.0);
    }

    /// A wait for a condition, each tenth of a second. What the condition looks for and does not find ([Optional#orElseThrow]) is not there yet.
    public static ConditionFactory await() {
        return Awaitility.await()
                .atMost(longest())
                .ignoreException(NoSuchElementException.class)
                .conditionEvaluationListener(new FailureReport());
    }

    /// A wait for a condition, each tenth of a second.
    ///
    /// @param what is awaited, in the words of the test: "the job has finished"
    public static ConditionFactory await(String what) {
        return await().alias(what);
    }
}
