package dev.artel.json;

/// The JSON literal `null`.
public enum JsonNull implements JsonValue {
    /// The only instance.
    NULL;

    @Override
    public String toString() {
        return "null";
    }
}
