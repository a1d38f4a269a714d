package dev.artel.blueprint;

import java.time.Duration;
import java.time.Instant;

/// Time that passes, as a handler of an annotated class asks for it: `SleepCall.of(Duration.ofDays(30))`. [StateHandler#leadsTo] names the
/// state that follows. Immutable.
public sealed interface SleepCall {
    /// Passes for `time`.
    ///
    /// @param time not negative, at most 36500 days
    record Pause(Duration time) implements SleepCall {}

    /// Passes until `instant`; at once if it has passed.
    ///
    /// @param instant before the year 10000
    record Until(Instant instant) implements SleepCall {}

    /// Waits for `time`.
    static SleepCall of(Duration time) {
        return new Pause(time);
    }

    /// Waits until `instant`, which may be decades away; goes on at once if it has passed.
    static SleepCall until(Instant instant) {
        return new Until(instant);
    }
}
