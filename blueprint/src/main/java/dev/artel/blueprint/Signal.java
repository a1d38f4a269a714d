package dev.artel.blueprint;

import java.util.Objects;

/// A kind of signal: what its senders and the jobs that wait for it call it, and what it brings. One constant is shared by the
/// blueprint and the client that sends it.
///
/// @param name 1 to 100 letters, digits, '-', '_' or '.'
/// @param payload what it brings
public record Signal<T>(String name, ValueType<T> payload) {
    /// Refuses a name that nobody can send.
    public Signal {
        Objects.requireNonNull(payload, "payload");
        Names.check("a signal's name", name);
    }

    /// The signal `name`.
    ///
    /// @throws IllegalArgumentException if JSON cannot be bound to `payload`
    public static <T> Signal<T> of(String name, Class<T> payload) {
        return new Signal<>(name, ValueType.of(payload));
    }

    /// The signal `name`, which brings nothing but itself.
    public static Signal<Nothing> of(String name) {
        return of(name, Nothing.class);
    }

    @Override
    public String toString() {
        return name;
    }
}
