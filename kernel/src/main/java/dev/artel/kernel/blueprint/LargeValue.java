package dev.artel.kernel.blueprint;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;
import dev.artel.json.bind.Binding;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/// A value of a job's data that is read in pieces. Each call reads it anew.
public final class LargeValue {
    private final String name;
    private final JsonObject place;

    LargeValue(String name, JsonObject place) {
        this.name = name;
        this.place = place;
    }

    /// The length of its text, in bytes; empty where it is small and kept with the others.
    public OptionalLong bytes() {
        return place.late(name).stream().mapToLong(LateValue::bytes).findFirst();
    }

    /// The elements of an array in order, of which only the one at hand is in memory; to be closed.
    ///
    /// ```java
    /// try (var customers = step.large("customers").stream(Customer.class)) {
    ///     return Action.finish(JsonObject.of("owing", JsonValue.of(customers.filter(Customer::owes).count())));
    /// }
    /// ```
    ///
    /// @throws IllegalStateException if it is not an array
    /// @throws dev.artel.json.bind.Unfit if an element does not fit, when it is reached
    public <T extends Record> Stream<T> stream(Class<T> type) {
        var binding = Binding.of(type);
        return elements().map(element -> type.cast(binding.bind(element, name + "[]")));
    }

    /// The same as they are in JSON.
    ///
    /// @throws IllegalStateException if it is not an array
    public Stream<JsonValue> elements() {
        var late = place.late(name);
        if (late.isPresent()) {
            return late.get().elements();
        }
        return place.array(name)
                .map(JsonArray::stream)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "'"
                                        + name
                                        + "' is no array; read it with value(\""
                                        + name
                                        + "\")"));
    }

    /// At most `most` elements of an array, from the one at `from` on, counted from 0; what is before it is passed over.
    ///
    /// @throws IllegalStateException if it is not an array
    public List<JsonValue> page(long from, int most) {
        try (var elements = elements()) {
            return elements.skip(from).limit(most).toList();
        }
    }
}
