package dev.artel.blueprint;

import dev.artel.json.JsonValue;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// A value of a job's data that is read in pieces. Each call reads it anew.
public final class LargeValue {
    private final dev.artel.kernel.blueprint.LargeValue value;

    LargeValue(dev.artel.kernel.blueprint.LargeValue value) {
        this.value = value;
    }

    /// The length of its text, in bytes; empty where it is small and kept with the others.
    public OptionalLong bytes() {
        return value.bytes();
    }

    /// The elements of an array in order, of which only the one at hand is in memory; to be closed.
    ///
    /// ```java
    /// try (var customers = step.large("customers").stream(Customer.class)) {
    ///     return new Owing(customers.filter(Customer::owes).count());
    /// }
    /// ```
    ///
    /// @throws IllegalStateException if it is not an array
    /// @throws dev.artel.json.bind.Unfit if an element does not fit, when it is reached
    public <T extends Record> Stream<T> stream(Class<T> type) {
        return value.stream(type);
    }

    /// The same as they are in JSON.
    ///
    /// @throws IllegalStateException if it is not an array
    public Stream<JsonValue> elements() {
        return value.elements();
    }

    /// At most `most` elements of an array, from the one at `from` on, counted from 0; what is before it is passed over.
    ///
    /// @throws IllegalStateException if it is not an array
    public List<JsonValue> page(long from, int most) {
        return value.page(from, most);
    }
}
