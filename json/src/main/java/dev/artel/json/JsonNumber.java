package dev.artel.json;

import java.math.BigDecimal;
import java.util.Objects;

/// A JSON number: exact, with up to [#MOST_DIGITS] digits and any exponent, so that whatever is written can be read again. Two numbers are equal if they are written alike (`1` is not `1.0`).
///
/// @param value a [Long] where the number is integral, written without a fraction and fits; otherwise a
///     [BigDecimal]
public record JsonNumber(Number value) implements JsonValue {
    /// How many digits a number may have. Texts have numbers of up to 1,000 characters: what is read is written with a sign, a point and an
    /// exponent more than its digits.
    public static final int MOST_DIGITS = 900;

    /// No number with fewer bits has more digits.
    private static final int BITS = 2_990;

    /// Brings `value` into the one form for each number.
    ///
    /// @throws NumberFormatException if `value` is infinite, not a number, or has too many digits
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

    /// The exact number. Its exponent may be of any size, and arithmetic with it takes any time: Artel itself computes with
    /// [ForeignDecimal#of(JsonNumber)].
    public BigDecimal asDecimal() {
        return value instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(asLong());
    }

    /// A lower bound of the number of its digits, cheap to find and seldom less than the number by more than one in a hundred.
    public int leastDigits() {
        return value instanceof BigDecimal decimal
                ? Math.max(1, decimal.unscaledValue().bitLength() * 3 / 10)
                : 1;
    }

    private static Number canonical(BigDecimal decimal) {
        var fits = decimal.scale() == 0 && decimal.unscaledValue().bitLength() < Long.SIZE;
        if (decimal.unscaledValue().bitLength() >= BITS && decimal.precision() > MOST_DIGITS) {
            throw new NumberFormatException(
                    "a number has at most "
                            + MOST_DIGITS
                            + " digits, and this one has "
                            + decimal.precision());
        }
        return fits ? (Number) decimal.longValue() : decimal;
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
