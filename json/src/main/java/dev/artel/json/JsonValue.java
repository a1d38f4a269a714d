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
    /// @throws NumberFormatException if `value` is infinite or not a number, which JSON cannot say
    static JsonNumber of(double value) {
        return JsonNumber.of(value);
    }

    /// `value` as a JSON literal.
    static JsonBoolean of(boolean value) {
        return value ? JsonBoolean.TRUE : JsonBoolean.FALSE;
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
