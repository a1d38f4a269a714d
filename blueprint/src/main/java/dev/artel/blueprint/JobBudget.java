package dev.artel.blueprint;

import dev.artel.kernel.budget.Budget;

/// What jobs may spend: `budget(it -> it.withUsd("5.00").withTokens(200_000))`. Each method gives a budget with one more limit; what is
/// not limited is spent as it comes, and 0 means that nothing may be spent. Immutable.
public final class JobBudget {
    /// No limit.
    static final JobBudget NONE = new JobBudget(Budget.UNLIMITED);

    private final Budget budget;

    private JobBudget(Budget budget) {
        this.budget = budget;
    }

    Budget kernel() {
        return budget;
    }

    /// How much money.
    ///
    /// @param usd such as `5.00`, with at most nine decimals
    public JobBudget withUsd(String usd) {
        return new JobBudget(budget.withUsd(usd));
    }

    /// How many tokens of models.
    public JobBudget withTokens(long most) {
        return new JobBudget(budget.withTokens(most));
    }

    /// How many seconds attempts may be with workers, added up over all of them.
    public JobBudget withSeconds(long most) {
        return new JobBudget(budget.withSeconds(most));
    }

    /// How many attempts workers may begin; one that reports more calls counts as so many.
    public JobBudget withCalls(long most) {
        return new JobBudget(budget.withCalls(most));
    }

    /// From which part of a limit on a warning is due; 0.8 by default.
    ///
    /// @param part above 0 and at most 1
    public JobBudget withWarnAt(double part) {
        return new JobBudget(budget.withWarnAt(part));
    }

    /// A job that has spent it waits for a person, who grants more or cancels it, in place of failing.
    public JobBudget requestingExtension() {
        return new JobBudget(budget.requestingExtension());
    }

    @Override
    public String toString() {
        return budget.toString();
    }
}
