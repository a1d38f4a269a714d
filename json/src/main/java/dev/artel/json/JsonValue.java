package dev.artel.json;

/// A JSON value (RFC 8259). Immutable and safe for use by many threads.
public sealed interface JsonValue
        permits JsonObject, JsonArray, JsonString, JsonNumber, JsonBoolean, JsonNull {

    /// The text of `value` as a JSON string.
    static JsonString of(String value) {
        return new JsonString(value);
    }

    /// `value` as a JSON number.
    static JsonNumber of(long value) {
        return JsonNumber.of(value);
    }

    /// `value` as a JSON number.
    ///
    /// @throws NumberFormatException if `value` is infinite or not a number, which JSON cannot express
    static JsonNumber of(double value) {
        return JsonNumber.of(value);
    }

    /// `value` as a JSON literal.
    static JsonBoolean of(boolean value) {
        return value ? JsonBoolean.TRUE : JsonBoolean.FALSE;
    }

    /// The same value with all of it in memory: no [LateValue] is left in it. It is this one if there was none.
    default JsonValue settled() {
        if (!isLate()) {
            return this;
        }
        return switch (this) {
            case JsonObject object -> object.inMemory();
            case JsonArray array -> new JsonArray(array.stream().map(JsonValue::settled).toList());
            case JsonString _, JsonNumber _, JsonBoolean _, JsonNull _ -> this;
        };
    }

    /// Whether there is a [LateValue] in it.
    default boolean isLate() {
        return switch (this) {
            case JsonObject object -> object.hasLate();
            case JsonArray array -> array.hasLate();
            case JsonString _, JsonNumber _, JsonBoolean _, JsonNull _ -> false;
        };
    }

    /// What kind of value this is, in the words of RFC 8259, for messages.
    default String kind() {
        return switch (this) {
            case JsonObject _ -> "object";
            case JsonArray _ -> "array";
            case JsonString _ -> "string";
            case JsonNumber _ -> "number";
            case JsonBoolean _ -> "boolean";
            case JsonNull _ -> "null";
        };
    }
}
