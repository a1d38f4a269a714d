package dev.artel.blueprint;

import java.time.Duration;
import java.util.Optional;

/// A wait for a signal, as a handler of an annotated class asks for it. What the signal brings is a value of the job's data, under the
/// name of the signal. Immutable.
///
/// @param within how long it waits; empty: as long as it takes
public record SignalCall<T>(Signal<T> signal, Optional<Duration> within) {
    /// Waits for `signal` as long as it takes.
    public static <T> SignalCall<T> of(Signal<T> signal) {
        return new SignalCall<>(signal, Optional.empty());
    }

    /// Waits so long.
    public SignalCall<T> within(Duration time) {
        return new SignalCall<>(signal, Optional.of(time));
    }
}
