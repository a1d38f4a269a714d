package dev.artel.schedule.rules;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/// What becomes of ticks that meet a job of an earlier one, that were missed, or whose submission is refused.
///
/// @param queueLimit how many runs wait with [Overlap#QUEUE]
/// @param catchUpLimit how many missed ticks run with [CatchUp#ALL], the latest ones
/// @param catchUpWindow how long ago a missed tick may be to run
/// @param jitter the most by which a run is later than its tick
/// @param attempts how often a submission is tried
/// @param startWithin how long after its tick a run may be submitted; empty: at any time
public record RunPolicy(
        Overlap overlap,
        int queueLimit,
        CatchUp catchUp,
        int catchUpLimit,
        Duration catchUpWindow,
        Duration jitter,
        int attempts,
        Optional<Duration> startWithin) {
    /// How many runs wait at most, and how many missed ticks run.
    public static final int MOST_RUNS = 1000;

    /// The longest window.
    public static final Duration LONGEST_WINDOW = Duration.ofDays(366);

    /// The most jitter.
    public static final Duration MOST_JITTER = Duration.ofHours(1);

    /// How often a submission is tried at most.
    public static final int MOST_ATTEMPTS = 100;

    /// Skips ticks while a job runs, runs the last missed tick of a day, no jitter, ten attempts.
    public static final RunPolicy DEFAULTS =
            new RunPolicy(
                    Overlap.SKIP,
                    10,
                    CatchUp.LAST,
                    100,
                    Duration.ofDays(1),
                    Duration.ZERO,
                    10,
                    Optional.empty());

    /// Refuses what has no meaning.
    public RunPolicy {
        require("queue_limit", queueLimit, 1, MOST_RUNS);
        require("catch_up_limit", catchUpLimit, 1, MOST_RUNS);
        require(
                "catch_up_window_seconds",
                catchUpWindow.toSeconds(),
                1,
                LONGEST_WINDOW.toSeconds());
        require("jitter_seconds", jitter.toSeconds(), 0, MOST_JITTER.toSeconds());
        require("submit_attempts", attempts, 1, MOST_ATTEMPTS);
        startWithin.ifPresent(it ->
                require("start_within_seconds", it.toSeconds(), 1, LONGEST_WINDOW.toSeconds()));
    }

    private static void require(String key, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    key + " must be from " + least + " to " + most + ", was " + value);
        }
    }

    /// This policy with another for overlaps.
    public RunPolicy withOverlap(Overlap other) {
        return new RunPolicy(
                other,
                queueLimit,
                catchUp,
                catchUpLimit,
                catchUpWindow,
                jitter,
                attempts,
                startWithin);
    }

    /// This policy with another for missed ticks.
    public RunPolicy withCatchUp(CatchUp other) {
        return new RunPolicy(
                overlap,
                queueLimit,
                other,
                catchUpLimit,
                catchUpWindow,
                jitter,
                attempts,
                startWithin);
    }

    /// This policy with another jitter.
    public RunPolicy withJitter(Duration other) {
        return new RunPolicy(
                overlap,
                queueLimit,
                catchUp,
                catchUpLimit,
                catchUpWindow,
                other,
                attempts,
                startWithin);
    }

    /// What becomes of a tick while a run of an earlier one has not ended.
    public enum Overlap {
        /// It is dropped, and the reason is recorded.
        SKIP,
        /// It waits for the end of the runs before it; it is dropped where the queue is full.
        QUEUE,
        /// The jobs of the earlier runs are cancelled, and it runs at once.
        CANCEL_OLD,
        /// It runs at once, beside them.
        ALLOW;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// What becomes of ticks that were missed, mostly since the orchestrator was down.
    public enum CatchUp {
        /// They are dropped.
        NONE,
        /// The last one runs, if it is in the window.
        LAST,
        /// All run that are in the window, the latest if there are too many.
        ALL;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
