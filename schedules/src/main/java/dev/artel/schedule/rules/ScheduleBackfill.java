package dev.artel.schedule.rules;

import java.time.Instant;

/// Ticks of the past that a person wants to run.
///
/// @param number counts the backfills of a schedule from 1
/// @param from the ticks behind it are to run
/// @param until the last tick may be at it
/// @param isTogether whether they run beside each other, rather than one after the other
/// @param by who asked for it
public record ScheduleBackfill(
        long number, Instant from, Instant until, boolean isTogether, String by) {
    ScheduleBackfill after(Instant tick) {
        return new ScheduleBackfill(number, tick, until, isTogether, by);
    }
}
