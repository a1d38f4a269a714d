package dev.artel.benchmarks;

import java.math.BigDecimal;
import java.math.MathContext;

/// A number of a result with as many digits as mean something.
final class Figure {
    private static final MathContext DIGITS = new MathContext(5);

    private Figure() {}

    static double rounded(double number) {
        return new BigDecimal(number).round(DIGITS).doubleValue();
    }

    static String text(double number) {
        return new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
