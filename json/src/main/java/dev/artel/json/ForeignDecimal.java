package dev.artel.json;

import java.math.BigDecimal;

/// Decimal numbers from outside that Artel computes with: amounts of money, counts, limits, versions. They have at most [#DIGITS]
/// digits and are 0 or between 1e-30 and 1e31, so that nothing that is done with them takes longer than with others: the
/// number `1e-640000000` is short, and to bring it to nine decimals takes minutes.
///
/// What only passes through, as the data of a job do, may be any [JsonNumber].
public final class ForeignDecimal {
    /// The most digits that count, whatever their place is.
    public static final int DIGITS = 40;

    /// The largest power of ten of the first digit, and the smallest with a minus.
    private static final int POWER = 30;

    /// Also with a sign, a point, a power and some zeros that say nothing.
    private static final int CHARACTERS = 80;

    private ForeignDecimal() {}

    /// The number that `text` states.
    ///
    /// @throws NumberFormatException with a sentence, if it is no decimal number, or one beyond the bounds
    public static BigDecimal of(String text) {
        if (text.length() > CHARACTERS) {
            throw new NumberFormatException(
                    "has "
                            + text.length()
                            + " characters; a number has at most "
                            + DIGITS
                            + " digits");
        }
        return within(parsed(text));
    }

    /// The number `number`.
    ///
    /// @throws NumberFormatException with a sentence, if it is beyond the bounds
    public static BigDecimal of(JsonNumber number) {
        return switch (number.value()) {
            case BigDecimal decimal -> within(decimal);
            case Number whole -> BigDecimal.valueOf(whole.longValue());
        };
    }

    private static BigDecimal parsed(String text) {
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException none) {
            var problem = new NumberFormatException("is no decimal number");
            problem.initCause(none);
            throw problem;
        }
    }

    /// `decimal` without a power, such as `0.0000001`.
    ///
    /// @throws NumberFormatException with a sentence, if it is beyond the bounds
    public static String plain(BigDecimal decimal) {
        var bounded = within(decimal);
        var isZeroWithFewDigits =
                bounded.signum() == 0 && decimal.scale() >= 0 && decimal.scale() <= DIGITS;
        return (isZeroWithFewDigits ? decimal : bounded).toPlainString();
    }

    /// `decimal`, which may come from code that is not ours.
    ///
    /// @throws NumberFormatException with a sentence, if it is beyond the bounds
    public static BigDecimal within(BigDecimal decimal) {
        if (decimal.signum() == 0) {
            return BigDecimal.ZERO;
        }
        if (decimal.precision() > DIGITS) {
            throw new NumberFormatException(
                    "has " + decimal.precision() + " digits; there are at most " + DIGITS);
        }
        var power = decimal.precision() - 1L - decimal.scale();
        if (Math.abs(power) > POWER) {
            throw new NumberFormatException(
                    "is about 1e" + power + "; numbers are between 1e-30 and 1e31");
        }
        return decimal;
    }
}
