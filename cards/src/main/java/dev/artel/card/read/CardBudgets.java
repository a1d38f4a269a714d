package dev.artel.card.read;

import dev.artel.card.yaml.YamlNode;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonString;
import dev.artel.kernel.budget.Budget;
import dev.artel.kernel.budget.OnExhausted;
import dev.artel.kernel.budget.Spending;
import java.util.Optional;

/// Reads what a process may spend.
final class CardBudgets {
    private static final int MOST = Integer.MAX_VALUE;
    private static final int SECONDS_OF_A_MINUTE = 60;

    private CardBudgets() {}

    /// The budget that `fields` sets.
    static Budget read(CardFields fields) {
        var budget = Budget.UNLIMITED;
        var usd = usd(fields);
        if (usd.isPresent()) {
            budget = budget.withUsd(usd.get());
        }
        var tokens = fields.integer("max_tokens", 0, MOST);
        if (tokens.isPresent()) {
            budget = budget.withTokens(tokens.getAsInt());
        }
        var calls = fields.integer("max_llm_calls", 0, MOST);
        if (calls.isPresent()) {
            budget = budget.withCalls(calls.getAsInt());
        }
        var seconds = fields.integer("max_time_seconds", 0, MOST);
        var minutes = fields.integer("max_time_minutes", 0, MOST / SECONDS_OF_A_MINUTE);
        if (seconds.isPresent() || minutes.isPresent()) {
            budget = budget.withSeconds(seconds.orElse(minutes.orElse(0) * SECONDS_OF_A_MINUTE));
        }
        var warnAt = fields.number("warn_at", 0.01, 1);
        if (warnAt.isPresent()) {
            budget = budget.withWarnAt(warnAt.getAsDouble());
        }
        if (isExtended(fields)) {
            budget = budget.requestingExtension();
        }
        fields.hasNoEffect("max_iterations", "distribution_strategy");
        fields.end();
        return budget;
    }

    private static Optional<String> usd(CardFields fields) {
        var found = fields.node("max_cost_usd");
        if (found.isEmpty()) {
            return Optional.empty();
        }
        if (found.get() instanceof YamlNode.Scalar scalar
                && (scalar.json() instanceof JsonNumber || scalar.json() instanceof JsonString)) {
            try {
                return Optional.of(Spending.usd(Spending.nano(scalar.text())));
            } catch (IllegalArgumentException _) {
                // As what is no amount at all.
            }
        }
        fields.error(
                "max_cost_usd",
                "it must be an amount of US dollars such as 3.50, was " + found.get().kind());
        return Optional.empty();
    }

    private static boolean isExtended(CardFields fields) {
        var name = fields.alias("on_budget_exhausted", "on_exhausted");
        var word = fields.text(name);
        try {
            return word.map(OnExhausted::of).orElse(OnExhausted.STOP)
                    == OnExhausted.REQUEST_EXTENSION;
        } catch (IllegalArgumentException wrong) {
            fields.error(
                    name,
                    "it must be one of stop, request_extension, escalate, was '"
                            + word.orElse("")
                            + "'");
            return false;
        }
    }
}
