package dev.artel.json;

import java.util.Objects;

/// A JSON string.
///
/// @param value the text, unescaped
public record JsonString(String value) implements JsonValue {
    /// Refuses null.
    public JsonString {
        Objects.requireNonNull(value, "value");
    }

    @Override
    public String toString() {
        return Quoting.text(this);
    }
}
