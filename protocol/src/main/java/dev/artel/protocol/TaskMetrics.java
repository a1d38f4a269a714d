package dev.artel.protocol;

import dev.artel.json.ForeignDecimal;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// What an attempt has cost, as far as its worker reports that.
///
/// @param costUsd US dollars; null if it is not reported
/// @param tokens of models; null if they are not reported
/// @param calls of models or other services; null if they are not reported
public record TaskMetrics(
        @Nullable BigDecimal costUsd, @Nullable Long tokens, @Nullable Long calls) {
    /// Of a worker that reports nothing of it.
    public static final TaskMetrics NONE = new TaskMetrics(null, null, null);

    private static final BigDecimal MOST_USD = BigDecimal.valueOf(9_000_000_000L);

    /// The metrics in `value`, which is an object or anything else that has none.
    public static TaskMetrics of(@Nullable JsonValue value) {
        if (!(value instanceof JsonObject metrics)) {
            return NONE;
        }
        var read =
                new TaskMetrics(
                        money(first(metrics, "cost_usd", "estimated_cost_usd")),
                        count(first(metrics, "tokens_used", "tokens_total")),
                        count(first(metrics, "llm_calls", "calls")));
        return read.equals(NONE) ? NONE : read;
    }

    /// The metrics in what a handler gave.
    public static TaskMetrics in(@Nullable JsonValue data) {
        return of(member(data, "metrics"));
    }

    private static @Nullable JsonValue member(@Nullable JsonValue value, String name) {
        return value instanceof JsonObject object ? object.get(name).orElse(null) : null;
    }

    private static @Nullable JsonValue first(JsonObject metrics, String name, String other) {
        return metrics.get(name).or(() -> metrics.get(other)).orElse(null);
    }

    private static @Nullable BigDecimal money(@Nullable JsonValue value) {
        var usd = number(value);
        return usd == null || usd.signum() < 0 || usd.compareTo(MOST_USD) > 0 ? null : usd;
    }

    private static @Nullable Long count(@Nullable JsonValue value) {
        var count = number(value);
        return count == null
                        || count.signum() < 0
                        || count.compareTo(BigDecimal.valueOf(1L << 53)) > 0
                ? null
                : (Long) count.longValue();
    }

    private static @Nullable BigDecimal number(@Nullable JsonValue value) {
        try {
            return switch (value) {
                case JsonNumber number -> ForeignDecimal.of(number);
                case JsonString(var text) -> ForeignDecimal.of(text);
                case null, default -> null;
            };
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    /// The object of the member `metrics`.
    public JsonObject toJson() {
        var json = JsonObject.builder();
        if (costUsd != null) {
            json.put("cost_usd", ForeignDecimal.plain(costUsd));
        }
        if (tokens != null) {
            json.put("tokens_used", tokens.longValue());
        }
        if (calls != null) {
            json.put("calls", calls.longValue());
        }
        return json.build();
    }
}
