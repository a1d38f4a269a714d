package dev.artel.server.api.submit;

import dev.artel.json.ForeignDecimal;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.Spending;
import dev.artel.server.api.http.UnknownNames;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Reads budgets and amounts from requests. Money is a decimal text or number of US dollars with at most nine decimals.
public final class BudgetMember {
    private static final String MONEY = "cost_usd";

    /// The names of amounts.
    public static final List<String> AMOUNTS = List.of(MONEY, "tokens", "seconds", "calls");

    private static final List<String> FIELDS =
            List.of(MONEY, "tokens", "seconds", "calls", "warn_at", "on_exhausted");

    private BudgetMember() {}

    /// The budget `given`; what is wrong about it is added to `problems`.
    static Optional<Budget> read(JsonValue given, List<String> problems) {
        if (!(given instanceof JsonObject object)) {
            problems.add("budget must be an object, was " + given.kind());
            return Optional.empty();
        }
        unknown("budget", object, FIELDS, problems);
        var budget = Budget.UNLIMITED;
        for (var limit : BudgetLimit.values()) {
            var most = amount("budget", limit, object, problems);
            if (most.isPresent()) {
                budget = budget.withLimits(budget.limits().with(limit, most.getAsLong()));
            }
        }
        try {
            if (object.get("warn_at").isPresent()) {
                budget =
                        budget.withWarnAt(
                                object.get("warn_at").get() instanceof JsonNumber part
                                        ? part.value().doubleValue()
                                        : Double.NaN);
            }
            if (object.get("on_exhausted").isPresent()) {
                var word = object.string("on_exhausted").orElse("");
                budget =
                        OnExhausted.of(word) == OnExhausted.REQUEST_EXTENSION
                                ? budget.requestingExtension()
                                : budget;
            }
        } catch (IllegalArgumentException wrong) {
            problems.add("budget: " + wrong.getMessage());
        }
        return Optional.of(budget);
    }

    /// The amounts `given`, none of which is needed; what is wrong about them is added to `problems`.
    public static Spending amounts(JsonObject given, List<String> problems) {
        unknown("the body", given, AMOUNTS, problems);
        var spending = Spending.NONE;
        for (var limit : BudgetLimit.values()) {
            var amount = amount("the body", limit, given, problems);
            if (amount.isPresent()) {
                spending = spending.with(limit, amount.getAsLong());
            }
        }
        return spending;
    }

    private static void unknown(
            String where, JsonObject object, List<String> known, List<String> problems) {
        UnknownNames.in(object.names(), known, "field", "", " of " + where)
                .ifPresent(problems::add);
    }

    private static OptionalLong amount(
            String where, BudgetLimit limit, JsonObject object, List<String> problems) {
        var name = limit == BudgetLimit.MONEY ? MONEY : limit.word();
        var given = object.get(name);
        if (given.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            var number =
                    switch (given.get()) {
                        case JsonNumber it -> ForeignDecimal.of(it);
                        case JsonString(var text) when limit == BudgetLimit.MONEY ->
                                ForeignDecimal.of(text);
                        default ->
                                throw new NumberFormatException(
                                        "must be a number, was " + given.get().kind());
                    };
            return OptionalLong.of(
                    limit == BudgetLimit.MONEY
                            ? Spending.nano(number)
                            : whole(number, Long.MAX_VALUE - 1));
        } catch (NumberFormatException wrong) {
            problems.add(name + " of " + where + " " + wrong.getMessage());
        } catch (ArithmeticException _) {
            problems.add(name + " of " + where + " must be a whole number of at least 0");
        } catch (IllegalArgumentException wrong) {
            problems.add(name + " of " + where + ": " + wrong.getMessage());
        }
        return OptionalLong.empty();
    }

    private static long whole(BigDecimal number, long most) {
        var whole = number.longValueExact();
        if (whole < 0 || whole > most) {
            throw new ArithmeticException();
        }
        return whole;
    }
}
