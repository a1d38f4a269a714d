package dev.artel.json;

import java.math.BigDecimal;
import java.util.Objects;

/// A JSON number: exact, of any size. Two numbers are equal if they are written alike (`1` is not `1.0`).
///
/// @param value a [Long] where the number is integral, written without a fraction and fits; otherwise a
///     [BigDecimal]
public record JsonNumber(Number value) implements JsonValue {
    /// Brings `value` into the one form for each number.
    ///
    /// @throws NumberFormatException if `value` is infinite or not a number
    public JsonNumber {
        value =
                switch (Objects.requireNonNull(value, "value")) {
                    case Long l -> l;
                    case Integer i -> i.longValue();
                    case Short s -> s.longValue();
                    case Byte b -> b.longValue();
                    case BigDecimal d -> canonical(d);
                    default -> canonical(new BigDecimal(value.toString()));
                };
    }

    /// The integral number `value`.
    public static JsonNumber of(long value) {
        return new JsonNumber(value);
    }

    /// The shortest decimal that reads back as `value`.
    public static JsonNumber of(double value) {
        return new JsonNumber(BigDecimal.valueOf(value));
    }

    /// Whether [#asLong] gives the exact number.
    public boolean isLong() {
        return value instanceof Long;
    }

    /// The number, truncated to 64 bits as [Number#longValue] does.
    public long asLong() {
        return value.longValue();
    }

    /// The nearest `double`.
    public double asDouble() {
        return value.doubleValue();
    }

    /// The exact number. It may have any size, and arithmetic with it takes any time: Artel itself computes with
    /// [ForeignDecimal#of(JsonNumber)].
    public BigDecimal asDecimal() {
        return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(asLong());
    }

    private static Number canonical(BigDecimal decimal) {
        var fits = decimal.scale() == 0 && decimal.unscaledValue().bitLength() < Long.SIZE;
        return fits ? (Number) decimal.longValue() : decimal;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
