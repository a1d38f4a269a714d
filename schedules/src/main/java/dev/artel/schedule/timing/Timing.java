package dev.artel.schedule.timing;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// When a schedule is due. Its instants are *ticks*. Immutable, free of effects; two that are equal have the same ticks.
public sealed interface Timing {
    /// The shortest interval.
    Duration SHORTEST = Duration.ofSeconds(1);

    /// The longest interval.
    Duration LONGEST = Duration.ofDays(3660);

    /// The first tick after `after`; empty if there is none.
    Optional<Instant> next(Instant after);

    /// By the wall clock of a zone. Where the clock goes forward, a tick in the gap is at the first instant after it; where the
    /// clock goes back, a tick is at the first of the two instants that show its time. An expression whose hour is `*` follows the
    /// clock instead: it is due at each instant that shows a time of it, so that what runs every ten minutes goes on to.
    record Cron(CronExpression expression, ZoneId zone) implements Timing {
        @Override
        public Optional<Instant> next(Instant after) {
            return new WallClock(expression, zone).next(after);
        }
    }

    /// At `anchor` and each `every` after it.
    record Interval(Duration every, Instant anchor) implements Timing {
        /// Refuses intervals that are too short or too long.
        public Interval {
            if (every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "every_seconds must be from 1 to "
                                + LONGEST.toSeconds()
                                + ", was "
                                + every.toSeconds());
            }
            anchor = anchor.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public Optional<Instant> next(Instant after) {
            if (after.isBefore(anchor)) {
                return Optional.of(anchor);
            }
            var passed = Duration.between(anchor, after).toMillis() / every.toMillis();
            return Optional.of(anchor.plusMillis((passed + 1) * every.toMillis()));
        }
    }

    /// At one instant.
    record Once(Instant at) implements Timing {
        /// Keeps whole milliseconds.
        public Once {
            at = at.truncatedTo(ChronoUnit.MILLIS);
        }

        @Override
        public Optional<Instant> next(Instant after) {
            return at.isAfter(after) ? Optional.of(at) : Optional.empty();
        }
    }

    /// The first `most` ticks after `after` and until `until`, inclusive.
    default List<Instant> between(Instant after, Instant until, int most) {
        var found = new ArrayList<Instant>();
        var next = next(after);
        while (found.size() < most && next.isPresent() && !next.get().isAfter(until)) {
            found.add(next.get());
            next = next(next.get());
        }
        return found;
    }

    /// The last `most` ticks after `after` and until `until`, inclusive, oldest first. The search halves the time behind which there are as many, so
    /// that it does not depend on how long ago `after` is, nor on how many ticks there are.
    default List<Instant> latest(Instant after, Instant until, int most) {
        var behind = after;
        if (count(behind, until, most) == most) {
            var too = until;
            while (behind.plusMillis(1).isBefore(too)) {
                var middle = behind.plusMillis(Duration.between(behind, too).toMillis() / 2);
                if (count(middle, until, most) == most) {
                    behind = middle;
                } else {
                    too = middle;
                }
            }
        }
        return between(behind, until, most);
    }

    /// How many ticks there are after `after` and until `until`, inclusive; `most` where there are as many or more.
    default int count(Instant after, Instant until, int most) {
        var count = 0;
        var next = next(after);
        while (count < most && next.isPresent() && !next.get().isAfter(until)) {
            count++;
            next = next(next.get());
        }
        return count;
    }
}
