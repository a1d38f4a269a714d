package dev.artel.blueprint;

import java.util.Objects;

/// A value that a blueprint keeps in the data of its jobs itself, such as a counter.
///
/// @param name 1 to 100 letters, digits, '-', '_' or '.'
public record Variable<T>(String name, ValueType<T> value) {
    /// Refuses a blank name.
    public Variable {
        Objects.requireNonNull(value, "value");
        Names.check("a variable's name", name);
    }

    /// The variable `name`.
    ///
    /// @throws IllegalArgumentException if JSON cannot be bound to `type`
    public static <T> Variable<T> of(String name, Class<T> type) {
        return new Variable<>(name, ValueType.of(type));
    }

    @Override
    public String toString() {
        return name;
    }
}
