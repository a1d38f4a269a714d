package dev.artel.server.api.tasks;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.BudgetLedger;
import dev.artel.kernel.budget.BudgetLimit;
import dev.artel.kernel.budget.Spending;
import dev.artel.kernel.job.Job;
import dev.artel.server.api.http.ApiJson;

/// Shows budgets to clients. Money is a decimal text of US dollars, all else a number.
public final class BudgetDocument {
    private BudgetDocument() {}

    /// The member `budget` of a job that has one.
    public static void put(Job job, JsonObject.Builder json) {
        job.budget().ifPresent(ledger -> json.put("budget", of(ledger)));
    }

    private static JsonObject of(BudgetLedger ledger) {
        var json =
                JsonObject.builder()
                        .put("limits", limited(ledger.limits(), ledger))
                        .put("spent", amounts(ledger.settled()))
                        .put("unknown", amounts(ledger.unknown()))
                        .put("reserved", amounts(ledger.reserved()))
                        .put("granted_to_children", amounts(ledger.granted()))
                        .put("extended", amounts(ledger.extended()))
                        .put("left", limited(ledger.left(), ledger))
                        .put("warn_at", JsonNumber.of(ledger.budget().warnAt()))
                        .put("on_exhausted", ledger.budget().onExhausted().word())
                        .put("withheld_tasks", ledger.withheld())
                        .put(
                                "warned",
                                ApiJson.texts(
                                        ledger.warned().stream().map(BudgetLimit::word).toList()));
        ledger.asking()
                .ifPresent(asking ->
                        json.put(
                                "asking",
                                JsonObject.of(
                                        "limit",
                                        JsonValue.of(asking.limit().word()),
                                        "needed",
                                        amounts(asking.needed()))));
        return json.build();
    }

    /// What a job may spend that has not begun.
    public static JsonObject of(Budget budget) {
        var limits = JsonObject.builder();
        for (var limit : BudgetLimit.values()) {
            if (budget.limits().of(limit) != Spending.UNLIMITED) {
                limits.put(name(limit), amount(limit, budget.limits().of(limit)));
            }
        }
        return JsonObject.builder()
                .put("limits", limits.build())
                .put("warn_at", JsonNumber.of(budget.warnAt()))
                .put("on_exhausted", budget.onExhausted().word())
                .build();
    }

    /// The amounts of which the ledger has a limit.
    private static JsonObject limited(Spending spending, BudgetLedger ledger) {
        var json = JsonObject.builder();
        for (var limit : BudgetLimit.values()) {
            if (ledger.limits().of(limit) != Spending.UNLIMITED) {
                json.put(name(limit), amount(limit, spending.of(limit)));
            }
        }
        return json.build();
    }

    /// All amounts that are not 0.
    public static JsonObject amounts(Spending spending) {
        var json = JsonObject.builder();
        for (var limit : BudgetLimit.values()) {
            if (spending.of(limit) != 0) {
                json.put(name(limit), amount(limit, spending.of(limit)));
            }
        }
        return json.build();
    }

    /// What is to be granted at least for the next task to begin. The limit that holds it back is there in any case; 0 if the task does not declare what it takes of it.
    public static JsonObject missing(BudgetLedger ledger, BudgetLedger.Asking asking) {
        var missing = ledger.missing(asking.needed());
        var json = JsonObject.builder();
        for (var limit : BudgetLimit.values()) {
            if (missing.of(limit) != 0 || limit == asking.limit()) {
                json.put(name(limit), amount(limit, missing.of(limit)));
            }
        }
        return json.build();
    }

    /// One amount.
    public static JsonValue amount(BudgetLimit limit, long amount) {
        return limit == BudgetLimit.MONEY
                ? JsonValue.of(Spending.usd(amount))
                : JsonValue.of(amount);
    }

    private static String name(BudgetLimit limit) {
        return limit == BudgetLimit.MONEY ? "cost_usd" : limit.word();
    }
}
