package dev.artel.json;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/// A JSON array.
///
/// @param values the elements in order; copied
public record JsonArray(List<JsonValue> values) implements JsonValue, Iterable<JsonValue> {
    /// The array without elements.
    public static final JsonArray EMPTY = new JsonArray(List.of());

    /// Copies `values`.
    public JsonArray {
        values = List.copyOf(values);
    }

    /// An array of `values`.
    public static JsonArray of(JsonValue... values) {
        return new JsonArray(List.of(values));
    }

    /// An array of strings.
    public static JsonArray ofStrings(Iterable<String> values) {
        var strings = new ArrayList<JsonValue>();
        values.forEach(value -> strings.add(new JsonString(value)));
        return new JsonArray(Collections.unmodifiableList(strings));
    }

    /// The number of elements.
    public int size() {
        return values.size();
    }

    /// Whether there is no element.
    public boolean isEmpty() {
        return values.isEmpty();
    }

    /// The element at `index`, counted from 0.
    ///
    /// @throws IndexOutOfBoundsException if there is none
    public JsonValue get(int index) {
        return values.get(index);
    }

    /// The elements in order.
    public Stream<JsonValue> stream() {
        return values.stream();
    }

    boolean hasLate() {
        for (var value : values) {
            if (value.isLate()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Iterator<JsonValue> iterator() {
        return values.iterator();
    }

    @Override
    public String toString() {
        return Quoting.text(this);
    }
}
