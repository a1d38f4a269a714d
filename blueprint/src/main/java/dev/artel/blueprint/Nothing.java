package dev.artel.blueprint;

/// What is given back where there is nothing to give back: the JSON object `{}`.
public record Nothing() {
    /// The one value.
    public static final Nothing NOTHING = new Nothing();
}
