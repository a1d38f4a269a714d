package dev.artel.protocol;

import dev.artel.json.JsonNumber;

/// Writes a number without a fraction where it has none.
final class JsonNumbers {
    private static final double EXACT = 1L << 53;

    private JsonNumbers() {}

    static JsonNumber of(double value) {
        return value == Math.rint(value) && Math.abs(value) <= EXACT
                ? JsonNumber.of((long) value)
                : JsonNumber.of(value);
    }
}
