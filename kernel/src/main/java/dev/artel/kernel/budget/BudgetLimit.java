package dev.artel.kernel.budget;

import java.util.Locale;

/// What a budget limits, each on its own.
public enum BudgetLimit {
    /// Money, in billionths of a US dollar.
    MONEY,
    /// Tokens of models.
    TOKENS,
    /// Seconds that attempts were with workers, added up over all of them.
    SECONDS,
    /// Attempts that workers began, or calls that they report to have made.
    CALLS;

    /// The limit in events and documents: `money`.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The limit with this [#word].
    ///
    /// @throws IllegalArgumentException if there is none
    public static BudgetLimit of(String word) {
        for (var limit : values()) {
            if (limit.word().equals(word)) {
                return limit;
            }
        }
        throw new IllegalArgumentException(
                "'" + word + "' is no limit of a budget; those are money, tokens, seconds, calls");
    }

    /// `amount` for people: `1.50 USD`, `300 tokens`.
    public String text(long amount) {
        return this == MONEY ? Spending.usd(amount) + " USD" : amount + " " + word();
    }
}
