package dev.artel.engine.core;

import java.time.Duration;
import java.time.Instant;

/// When a coordinator takes something in, by two clocks: deadlines are times of day, terms of leases are lengths of time.
///
/// @param wall the time of day, which may be set ahead or back
/// @param steady a clock that is never set; how far it is from `wall` means nothing
public record CoordinatorTime(Instant wall, Instant steady) {
    /// `time` by both clocks.
    public static CoordinatorTime of(Instant time) {
        return new CoordinatorTime(time, time);
    }

    /// What the steady clock shows when the wall clock shows `time`, as long as the wall clock is not set.
    Instant steadyAt(Instant time) {
        return steady.plus(Duration.between(wall, time));
    }

    /// What the wall clock shows when the steady clock shows `time`, as long as the wall clock is not set.
    Instant wallAt(Instant time) {
        return time.equals(Instant.MAX) ? time : wall.plus(Duration.between(steady, time));
    }
}
