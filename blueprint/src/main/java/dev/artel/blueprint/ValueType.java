package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Binding;
import dev.artel.json.bind.Unfit;
import dev.artel.json.bind.Writing;
import java.util.Objects;

/// A Java type and its JSON: a record, one of the types of `dev.artel.json`, or what else [Binding] knows.
///
/// Two are equal if they are of the same class. Safe for use by many threads.
public final class ValueType<T> {
    private final Class<T> type;
    private final Binding binding;

    private ValueType(Class<T> type) {
        this.type = type;
        this.binding = Binding.of(type);
    }

    /// The type `type`.
    ///
    /// @throws IllegalArgumentException if JSON cannot be bound to it
    public static <T> ValueType<T> of(Class<T> type) {
        return new ValueType<>(type);
    }

    /// The type `type`, whose JSON is an object.
    ///
    /// @param what names the value in the message: `the parameters of task type 'book_flight'`
    /// @throws IllegalArgumentException if its JSON is none, or cannot be bound to it
    static <T> ValueType<T> ofObject(Class<T> type, String what) {
        if (!type.isRecord() && type != JsonObject.class) {
            throw new IllegalArgumentException(
                    what + " must be a record or JsonObject, not " + type.getName());
        }
        return of(type);
    }

    /// The class.
    public Class<T> type() {
        return type;
    }

    /// The Java value of `json`, which stands at `path`; members that a record has no component for are ignored.
    ///
    /// @throws Unfit if it does not fit, with everything that is wrong
    public T read(JsonValue json, String path) {
        return type.cast(binding.bind(json, path));
    }

    /// The JSON of `value`: the components of a record in snake case.
    ///
    /// @throws IllegalArgumentException if a component cannot be written
    public JsonValue write(T value) {
        return Writing.json(Objects.requireNonNull(value, "value"));
    }

    /// The JSON Schema (2020-12) of what fits.
    public JsonObject schema() {
        return binding.schema();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ValueType<?> that && type == that.type;
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public String toString() {
        return type.getSimpleName();
    }
}
