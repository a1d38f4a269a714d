package dev.artel.kernel.budget;

import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.TaskNumbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a job with a budget may spend, has spent, and has reserved for what is under way. Immutable; the fold of the job's
/// events, so that it is the same after a crash.
///
/// @param budget as it was granted when the job began, and extended since
/// @param extended how much of that was granted later
/// @param settled what attempts and children have cost that are over, with `unknown`
/// @param unknown the part of `settled` of which no worker has reported anything: it counts as it was reserved
/// @param reserved the most that the attempts cost that are with workers
/// @param granted what children may spend that have not ended
/// @param warned the limits of which a warning was due already
/// @param waiting the tasks that wait until their reservation fits
/// @param asking the wait for a person who may grant more
public record BudgetLedger(
        Budget budget,
        Spending extended,
        Spending settled,
        Spending unknown,
        Spending reserved,
        Spending granted,
        List<BudgetLimit> warned,
        TaskNumbers waiting,
        Optional<Asking> asking) {
    /// A wait for a person who may grant more.
    ///
    /// @param effect the one that waits
    /// @param limit which is not enough
    /// @param needed what the next task takes
    public record Asking(EffectId effect, BudgetLimit limit, Spending needed) {}

    /// Copies `warned`.
    public BudgetLedger {
        warned = List.copyOf(warned);
    }

    /// A ledger in which nothing is spent.
    public static BudgetLedger of(Budget budget) {
        return new BudgetLedger(
                budget,
                Spending.NONE,
                Spending.NONE,
                Spending.NONE,
                Spending.NONE,
                Spending.NONE,
                List.of(),
                TaskNumbers.NONE,
                Optional.empty());
    }

    /// What may be spent in all.
    public Spending limits() {
        return budget.limits();
    }

    /// What is spent, reserved or granted to children.
    public Spending used() {
        return settled.plus(reserved).plus(granted);
    }

    /// What is neither spent, nor reserved, nor granted.
    public Spending left() {
        return limits().minus(used());
    }

    /// The limit into which `needed` does not fit now.
    ///
    /// @param declared whether that is all that it takes; if not, it takes an unknown amount of what is 0
    public Optional<BudgetLimit> lacking(Spending needed, boolean declared) {
        return lacking(used(), needed, declared);
    }

    /// The limit into which `needed` does not fit even if all that is reserved and granted should come back.
    public Optional<BudgetLimit> lackingForGood(Spending needed, boolean declared) {
        return lacking(settled, needed, declared);
    }

    private Optional<BudgetLimit> lacking(Spending taken, Spending needed, boolean declared) {
        for (var limit : BudgetLimit.values()) {
            var most = limits().of(limit);
            var gone = taken.of(limit);
            var more = needed.of(limit);
            if (most != Spending.UNLIMITED
                    && (more > most - gone
                            || (more == 0 && !declared && gone > 0 && gone == most))) {
                return Optional.of(limit);
            }
        }
        return Optional.empty();
    }

    /// How much more of each limit `needed` takes than is left now; 0 of what fits.
    public Spending missing(Spending needed) {
        return needed.minus(left());
    }

    /// The limits of which a warning is due.
    public List<BudgetLimit> dueWarnings() {
        var due = new ArrayList<BudgetLimit>(0);
        for (var limit : BudgetLimit.values()) {
            var most = limits().of(limit);
            if (most > 0
                    && most != Spending.UNLIMITED
                    && !warned.contains(limit)
                    && settled.of(limit) >= budget.warnAt() * most) {
                due.add(limit);
            }
        }
        return due;
    }

    /// An attempt begins.
    public BudgetLedger reserve(Spending amount) {
        return with(settled, unknown, reserved.plus(amount), granted);
    }

    /// An attempt is over, and its cost is unknown.
    public BudgetLedger spend(Spending amount) {
        return with(settled.plus(amount), unknown.plus(amount), reserved.minus(amount), granted);
    }

    /// An attempt of which the cost was unknown has cost `spent`.
    public BudgetLedger correct(Spending amount, Spending spent) {
        return with(settled.minus(amount).plus(spent), unknown.minus(amount), reserved, granted);
    }

    /// A child may spend `amount`.
    public BudgetLedger grant(Spending amount) {
        return with(settled, unknown, reserved, granted.plus(amount));
    }

    /// A child that might spend `amount` has spent `spent`.
    public BudgetLedger returned(Spending amount, Spending spent) {
        return with(settled.plus(spent), unknown, reserved, granted.minus(amount));
    }

    private BudgetLedger with(
            Spending newSettled, Spending newUnknown, Spending newReserved, Spending newGranted) {
        return new BudgetLedger(
                budget,
                extended,
                newSettled,
                newUnknown,
                newReserved,
                newGranted,
                warned,
                waiting,
                asking);
    }

    /// A warning was due.
    public BudgetLedger warnedOf(BudgetLimit limit) {
        var more = new ArrayList<>(warned);
        more.add(limit);
        return new BudgetLedger(
                budget, extended, settled, unknown, reserved, granted, more, waiting, asking);
    }

    /// How many tasks wait until their reservation fits.
    public int withheld() {
        return waiting.size();
    }

    /// Other tasks wait until their reservation fits.
    public BudgetLedger withWaiting(TaskNumbers next) {
        return new BudgetLedger(
                budget, extended, settled, unknown, reserved, granted, warned, next, asking);
    }

    /// A person is asked for more, or no longer.
    public BudgetLedger with(Optional<Asking> next) {
        return new BudgetLedger(
                budget, extended, settled, unknown, reserved, granted, warned, waiting, next);
    }

    /// More may be spent; warnings are due anew.
    public BudgetLedger extend(Spending more) {
        return new BudgetLedger(
                budget.withLimits(limits().plus(more)),
                extended.plus(more),
                settled,
                unknown,
                reserved,
                granted,
                List.of(),
                waiting,
                asking);
    }
}
