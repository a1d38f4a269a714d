package dev.artel.benchmarks;

import java.util.Locale;
import java.util.Optional;

/// A metric before and after a change.
///
/// @param before empty: only the later results have it
/// @param after empty: only the earlier results have it
/// @param reason why it is missing afterwards, if that is known
record MetricComparison(
        ResultFile.Key key,
        Optional<BenchmarkResult> before,
        Optional<BenchmarkResult> after,
        Optional<String> reason) {
    /// What it comes to.
    enum Verdict {
        /// Not slower than is allowed.
        GOOD(""),

        /// Slower than is allowed, and the median of each side is outside of the runs of the other.
        SLOWER("SLOWER"),

        /// Slower than is allowed, but the median of each side is among the runs of the other.
        WITHIN_SPREAD("SLOWER, within the spread"),

        /// The later results do not have it.
        MISSING("MISSING in B"),

        /// The later results do not have it, since what it needs was not there.
        SKIPPED("skipped in B"),

        /// The earlier results do not have it.
        NEW("only in B");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }

        boolean isFailure() {
            return this == SLOWER || this == WITHIN_SPREAD || this == MISSING;
        }
    }

    /// How much better it is afterwards, by medians: more than 1 is better, whatever the metric counts. Without a change it
    /// is 1, also if both are 0.
    ///
    /// @return empty if it is on one side only
    Optional<Double> ratio() {
        return before.flatMap(one -> after.map(other -> ratio(one, other)));
    }

    private static double ratio(BenchmarkResult one, BenchmarkResult other) {
        var isHigherBetter = one.better() == BenchmarkResult.Better.HIGHER;
        var better = isHigherBetter ? other.median() : one.median();
        var worse = isHigherBetter ? one.median() : other.median();
        return better == worse ? 1 : better / worse; // by 0: infinite
    }

    /// @param least the least ratio that is allowed
    Verdict verdict(double least, boolean isSkipped) {
        if (before.isEmpty()) {
            return Verdict.NEW;
        }
        if (after.isEmpty()) {
            return isSkipped ? Verdict.SKIPPED : Verdict.MISSING;
        }
        if (ratio(before.get(), after.get()) >= least) {
            return Verdict.GOOD;
        }
        return isAmong(before.get(), after.get()) && isAmong(after.get(), before.get())
                ? Verdict.WITHIN_SPREAD
                : Verdict.SLOWER;
    }

    /// Whether the median of `one` is among the runs of `other`.
    private static boolean isAmong(BenchmarkResult one, BenchmarkResult other) {
        return one.median() >= other.least() && one.median() <= other.most();
    }

    /// The least and the most run against the median, such as `-12 +5 %`.
    static String spread(BenchmarkResult result) {
        if (result.runs().size() == 1) {
            return "1 run";
        }
        if (result.median() == 0) {
            return Figure.text(result.least()) + ".." + Figure.text(result.most());
        }
        return String.format(
                Locale.ROOT,
                "%+.0f %+.0f %%",
                (result.least() / result.median() - 1) * 100,
                (result.most() / result.median() - 1) * 100);
    }
}
