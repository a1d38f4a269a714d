package dev.artel.json;

/// A JSON literal `true` or `false`.
public enum JsonBoolean implements JsonValue {
    /// The literal `true`.
    TRUE,
    /// The literal `false`.
    FALSE;

    /// The literal as a Java value.
    public boolean value() {
        return this == TRUE;
    }

    @Override
    public String toString() {
        return this == TRUE ? "true" : "false";
    }
}
