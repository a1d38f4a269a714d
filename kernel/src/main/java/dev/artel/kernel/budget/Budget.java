package dev.artel.kernel.budget;

import java.util.Optional;

/// How much the tasks of a job and of its children may spend: `Budget.ofUsd("5.00").withTokens(200_000)`.
///
/// @param limits the most of each; [Spending#UNLIMITED]: as much as it takes; 0: nothing
/// @param warnAt the part of a limit from which on a warning is due, above 0 and at most 1
/// @param onExhausted what becomes of the job when the next task does not fit
public record Budget(Spending limits, double warnAt, OnExhausted onExhausted) {
    /// The part of a limit from which on a warning is due, unless the budget sets another.
    public static final double WARN_AT = 0.8;

    /// No limit.
    public static final Budget UNLIMITED = new Budget(Spending.ANY, WARN_AT, OnExhausted.STOP);

    /// Refuses a warning that never comes.
    public Budget {
        if (!(warnAt > 0 && warnAt <= 1)) {
            throw new IllegalArgumentException(
                    "a budget warns at a part above 0 and at most 1, was " + warnAt);
        }
    }

    /// So much money, and no other limit.
    ///
    /// @param usd such as `5.00`
    public static Budget ofUsd(String usd) {
        return UNLIMITED.withUsd(usd);
    }

    /// This with a limit of money.
    ///
    /// @param usd such as `5.00`
    public Budget withUsd(String usd) {
        return with(BudgetLimit.MONEY, Spending.nano(usd));
    }

    /// This with a limit of tokens.
    public Budget withTokens(long most) {
        return with(BudgetLimit.TOKENS, most);
    }

    /// This with a limit of seconds, see [BudgetLimit#SECONDS].
    public Budget withSeconds(long most) {
        return with(BudgetLimit.SECONDS, most);
    }

    /// This with a limit of calls, see [BudgetLimit#CALLS].
    public Budget withCalls(long most) {
        return with(BudgetLimit.CALLS, most);
    }

    private Budget with(BudgetLimit limit, long most) {
        return withLimits(limits.with(limit, most));
    }

    /// This with other limits.
    public Budget withLimits(Spending others) {
        return new Budget(others, warnAt, onExhausted);
    }

    /// This with another part of a limit from which on a warning is due.
    public Budget withWarnAt(double part) {
        return new Budget(limits, part, onExhausted);
    }

    /// This, where a job that has spent it waits for a person who may grant more.
    public Budget requestingExtension() {
        return new Budget(limits, warnAt, OnExhausted.REQUEST_EXTENSION);
    }

    /// The smaller of both for each limit and for the warning; a person is asked for more if one of them wants that.
    public static Optional<Budget> least(Optional<Budget> one, Optional<Budget> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().least(other.get()))
                : one.or(() -> other);
    }

    private Budget least(Budget other) {
        return new Budget(
                limits.least(other.limits),
                Math.min(warnAt, other.warnAt),
                onExhausted == OnExhausted.STOP ? other.onExhausted : onExhausted);
    }
}
