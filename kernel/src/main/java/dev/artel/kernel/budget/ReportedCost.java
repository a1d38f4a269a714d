package dev.artel.kernel.budget;

import java.util.OptionalLong;

/// What an attempt has cost, as far as its worker reports that.
///
/// @param nanoUsd money, in billionths of a US dollar
public record ReportedCost(OptionalLong nanoUsd, OptionalLong tokens, OptionalLong calls) {
    /// Of a worker that reports nothing of it.
    public static final ReportedCost NONE =
            new ReportedCost(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());

    /// Money alone.
    ///
    /// @param usd such as `0.25`
    public static ReportedCost ofUsd(String usd) {
        return new ReportedCost(
                OptionalLong.of(Spending.nano(usd)), OptionalLong.empty(), OptionalLong.empty());
    }

    /// This with so many tokens.
    public ReportedCost withTokens(long count) {
        return new ReportedCost(nanoUsd, OptionalLong.of(count), calls);
    }

    /// This with what `expected` has of what the worker does not report.
    public Spending or(Spending expected, long seconds) {
        return new Spending(
                nanoUsd.orElse(expected.nanoUsd()),
                tokens.orElse(expected.tokens()),
                seconds,
                calls.orElse(expected.calls()));
    }
}
