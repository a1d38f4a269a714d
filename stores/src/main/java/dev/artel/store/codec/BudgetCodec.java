package dev.artel.store.codec;

import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.ReportedCost;
import dev.artel.kernel.budget.Spending;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;

/// The form of budgets and of what is spent of them. Money is a number of billionths of a US dollar.
final class BudgetCodec {
    /// From which part of a limit on a warning is due, where that is left out. Part of the format.
    private static final double WARN_AT_LEFT_OUT = 0.8;

    private BudgetCodec() {}

    /// An amount without a limit is left out.
    static void writeBudget(Optional<Budget> budget, JsonOut out) throws IOException {
        if (budget.isEmpty()) {
            return;
        }
        out.begin("budget");
        switch (budget.get()) {
            case Budget(var limits, var warnAt, var onExhausted) -> {
                for (var limit : BudgetLimit.values()) {
                    if (limits.of(limit) != Spending.UNLIMITED) {
                        out.number(name(limit), limits.of(limit));
                    }
                }
                if (warnAt != WARN_AT_LEFT_OUT) {
                    out.decimal("warnAt", warnAt);
                }
                if (onExhausted != OnExhausted.STOP) {
                    out.text("onExhausted", onExhausted.word());
                }
            }
        }
        out.end();
    }

    static Optional<Budget> readBudget(JsonIn in) throws IOException {
        if (!in.beginIfThere("budget")) {
            return Optional.empty();
        }
        var limits = Spending.ANY;
        for (var limit : BudgetLimit.values()) {
            if (in.isNext(name(limit))) {
                limits = limits.with(limit, in.number(name(limit)));
            }
        }
        var budget =
                new Budget(
                        limits,
                        in.isNext("warnAt") ? in.decimal("warnAt") : WARN_AT_LEFT_OUT,
                        in.optionalText("onExhausted")
                                .map(OnExhausted::of)
                                .orElse(OnExhausted.STOP));
        in.end();
        return Optional.of(budget);
    }

    /// An amount of 0 is left out, and so is `spending` if it has no other.
    static void writeSpending(String name, Spending spending, JsonOut out) throws IOException {
        if (spending.equals(Spending.NONE)) {
            return;
        }
        out.begin(name);
        writeAmounts(spending, out);
        out.end();
    }

    static Spending readSpending(String name, JsonIn in) throws IOException {
        if (!in.beginIfThere(name)) {
            return Spending.NONE;
        }
        var spending = readAmounts(in);
        in.end();
        return spending;
    }

    static void writeCost(Optional<Spending> cost, JsonOut out) throws IOException {
        if (cost.isPresent()) {
            out.begin("cost");
            writeAmounts(cost.get(), out);
            out.end();
        }
    }

    static Optional<Spending> readCost(JsonIn in) throws IOException {
        if (!in.beginIfThere("cost")) {
            return Optional.empty();
        }
        var cost = readAmounts(in);
        in.end();
        return Optional.of(cost);
    }

    private static void writeAmounts(Spending spending, JsonOut out) throws IOException {
        for (var limit : BudgetLimit.values()) {
            if (spending.of(limit) != 0) {
                out.number(name(limit), spending.of(limit));
            }
        }
    }

    private static Spending readAmounts(JsonIn in) throws IOException {
        var spending = Spending.NONE;
        for (var limit : BudgetLimit.values()) {
            if (in.isNext(name(limit))) {
                spending = spending.with(limit, in.number(name(limit)));
            }
        }
        return spending;
    }

    static void writeReported(ReportedCost cost, JsonOut out) throws IOException {
        if (cost.equals(ReportedCost.NONE)) {
            return;
        }
        out.begin("cost");
        switch (cost) {
            case ReportedCost(var nanoUsd, var tokens, var calls) -> {
                write(BudgetLimit.MONEY, nanoUsd, out);
                write(BudgetLimit.TOKENS, tokens, out);
                write(BudgetLimit.CALLS, calls, out);
            }
        }
        out.end();
    }

    static ReportedCost readReported(JsonIn in) throws IOException {
        if (!in.beginIfThere("cost")) {
            return ReportedCost.NONE;
        }
        var cost =
                new ReportedCost(
                        read(BudgetLimit.MONEY, in),
                        read(BudgetLimit.TOKENS, in),
                        read(BudgetLimit.CALLS, in));
        in.end();
        return cost;
    }

    private static void write(BudgetLimit limit, OptionalLong amount, JsonOut out)
            throws IOException {
        if (amount.isPresent()) {
            out.number(name(limit), amount.getAsLong());
        }
    }

    private static OptionalLong read(BudgetLimit limit, JsonIn in) throws IOException {
        return in.isNext(name(limit))
                ? OptionalLong.of(in.number(name(limit)))
                : OptionalLong.empty();
    }

    static void writeLimit(BudgetLimit limit, JsonOut out) throws IOException {
        out.text("limit", limit.word());
    }

    static BudgetLimit readLimit(JsonIn in) throws IOException {
        return BudgetLimit.of(in.text("limit"));
    }

    private static String name(BudgetLimit limit) {
        return limit == BudgetLimit.MONEY ? "nanoUsd" : limit.word();
    }
}
