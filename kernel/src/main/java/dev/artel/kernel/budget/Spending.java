package dev.artel.kernel.budget;

import dev.artel.json.ForeignDecimal;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Amounts of all that a budget limits: what was spent, is reserved, or may be spent. [#UNLIMITED] amounts stay so, whatever
/// is added or taken away.
///
/// @param nanoUsd money, in billionths of a US dollar
public record Spending(long nanoUsd, long tokens, long seconds, long calls) {
    /// An amount without a limit.
    public static final long UNLIMITED = Long.MAX_VALUE;

    /// No amount of anything.
    public static final Spending NONE = new Spending(0, 0, 0, 0);

    /// Any amount of all.
    public static final Spending ANY = new Spending(UNLIMITED, UNLIMITED, UNLIMITED, UNLIMITED);

    private static final int NANO = 9;

    /// Refuses negative amounts.
    public Spending {
        notNegative(BudgetLimit.MONEY, nanoUsd);
        notNegative(BudgetLimit.TOKENS, tokens);
        notNegative(BudgetLimit.SECONDS, seconds);
        notNegative(BudgetLimit.CALLS, calls);
    }

    private static void notNegative(BudgetLimit limit, long amount) {
        if (amount < 0) {
            throw new IllegalArgumentException(
                    "an amount of " + limit.word() + " must not be negative, was " + amount);
        }
    }

    /// Money alone.
    ///
    /// @param usd such as `0.25`
    /// @throws IllegalArgumentException see [#nano(String)]
    public static Spending ofUsd(String usd) {
        return NONE.with(BudgetLimit.MONEY, nano(usd));
    }

    /// Money in billionths of a dollar, rounded up.
    ///
    /// @throws IllegalArgumentException if `usd` is no decimal number of at least 0, has more than nine decimals that count, or
    ///     is more than nine billion dollars
    public static long nano(String usd) {
        try {
            return nano(ForeignDecimal.of(usd));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "money is a decimal number of US dollars such as 0.25, and '"
                            + shortened(usd)
                            + "' "
                            + e.getMessage(),
                    e);
        }
    }

    /// Money in billionths of a dollar.
    ///
    /// @throws IllegalArgumentException see [#nano(String)]
    public static long nano(BigDecimal usd) {
        bounded(usd);
        if (usd.signum() < 0) {
            throw new IllegalArgumentException("money must not be negative, was " + usd);
        }
        if (usd.signum() > 0 && usd.stripTrailingZeros().scale() > NANO) {
            throw new IllegalArgumentException(
                    "money has at most 9 decimals, was " + usd + "; round it up");
        }
        return nanoRoundedUp(usd);
    }

    /// Money in billionths of a dollar, where a part of one counts as a whole.
    ///
    /// @throws IllegalArgumentException if it is negative or more than nine billion dollars
    public static long nanoRoundedUp(BigDecimal usd) {
        bounded(usd);
        if (usd.signum() < 0 || usd.compareTo(BigDecimal.valueOf(9_000_000_000L)) > 0) {
            throw new IllegalArgumentException(
                    "money is from 0 to 9,000,000,000 US dollars, was " + usd);
        }
        return usd.setScale(NANO, RoundingMode.CEILING).unscaledValue().longValueExact();
    }

    private static void bounded(BigDecimal usd) {
        try {
            ForeignDecimal.within(usd);
        } catch (NumberFormatException beyond) {
            throw new IllegalArgumentException(
                    "money is a number such as 0.25, and this " + beyond.getMessage(), beyond);
        }
    }

    private static String shortened(String text) {
        return text.length() <= ForeignDecimal.DIGITS
                ? text
                : text.substring(0, ForeignDecimal.DIGITS) + "...";
    }

    /// `nano` billionths of a dollar in dollars, without zeros that say nothing.
    public static String usd(long nano) {
        var plain = BigDecimal.valueOf(nano, NANO).stripTrailingZeros();
        return ForeignDecimal.plain(plain.scale() < 2 ? plain.setScale(2) : plain);
    }

    /// The amount of one of them.
    public long of(BudgetLimit limit) {
        return switch (limit) {
            case MONEY -> nanoUsd;
            case TOKENS -> tokens;
            case SECONDS -> seconds;
            case CALLS -> calls;
        };
    }

    /// This with another amount of one of them.
    public Spending with(BudgetLimit limit, long amount) {
        return new Spending(
                limit == BudgetLimit.MONEY ? amount : nanoUsd,
                limit == BudgetLimit.TOKENS ? amount : tokens,
                limit == BudgetLimit.SECONDS ? amount : seconds,
                limit == BudgetLimit.CALLS ? amount : calls);
    }

    /// Both together; no sum is more than [#UNLIMITED].
    public Spending plus(Spending more) {
        return new Spending(
                sum(nanoUsd, more.nanoUsd),
                sum(tokens, more.tokens),
                sum(seconds, more.seconds),
                sum(calls, more.calls));
    }

    /// This without `less`; nothing is less than 0.
    public Spending minus(Spending less) {
        return new Spending(
                rest(nanoUsd, less.nanoUsd),
                rest(tokens, less.tokens),
                rest(seconds, less.seconds),
                rest(calls, less.calls));
    }

    /// The smaller amount of each.
    public Spending least(Spending other) {
        return new Spending(
                Math.min(nanoUsd, other.nanoUsd),
                Math.min(tokens, other.tokens),
                Math.min(seconds, other.seconds),
                Math.min(calls, other.calls));
    }

    /// An equal part of each amount that is limited, rounded down.
    public Spending dividedBy(int parts) {
        return new Spending(
                part(nanoUsd, parts),
                part(tokens, parts),
                part(seconds, parts),
                part(calls, parts));
    }

    /// As many times each amount; no product is more than [#UNLIMITED].
    public Spending times(int factor) {
        return new Spending(
                product(nanoUsd, factor),
                product(tokens, factor),
                product(seconds, factor),
                product(calls, factor));
    }

    /// The amounts that are limited; 0 of the others.
    public Spending finite() {
        return new Spending(
                nanoUsd == UNLIMITED ? 0 : nanoUsd,
                tokens == UNLIMITED ? 0 : tokens,
                seconds == UNLIMITED ? 0 : seconds,
                calls == UNLIMITED ? 0 : calls);
    }

    /// This, with what `others` have of what is not limited here.
    public Spending orElse(Spending others) {
        return new Spending(
                nanoUsd == UNLIMITED ? others.nanoUsd : nanoUsd,
                tokens == UNLIMITED ? others.tokens : tokens,
                seconds == UNLIMITED ? others.seconds : seconds,
                calls == UNLIMITED ? others.calls : calls);
    }

    private static long product(long amount, int factor) {
        return factor > 0 && amount > UNLIMITED / factor ? UNLIMITED : amount * factor;
    }

    private static long part(long amount, int parts) {
        return amount == UNLIMITED ? UNLIMITED : amount / parts;
    }

    private static long sum(long one, long other) {
        return one > UNLIMITED - other ? UNLIMITED : one + other;
    }

    private static long rest(long amount, long less) {
        return amount == UNLIMITED ? UNLIMITED : Math.max(0, amount - less);
    }
}
