package dev.artel.protocol;

import dev.artel.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/// What a worker costs, in the unit its operator chose. No worker is cheaper than one that costs nothing: a negative price counts as 0.
///
/// @param perTask null if the worker did not declare it
/// @param perSecond null if the worker did not declare it
/// @param perSkill task type to price
public record Costs(
        @Nullable Double perTask,
        @Nullable Double perSecond,
        SequencedMap<String, Double> perSkill) {
    /// Costs of which nothing is known.
    public static final Costs UNKNOWN = new Costs(null, null, new LinkedHashMap<>());

    /// Copies `perSkill`.
    public Costs {
        perTask = perTask == null ? null : (Double) fromZero(perTask);
        perSecond = perSecond == null ? null : (Double) fromZero(perSecond);
        var prices = new LinkedHashMap<>(perSkill);
        prices.replaceAll((_, price) -> fromZero(price));
        perSkill = Collections.unmodifiableSequencedMap(prices);
    }

    /// Minus zero is zero as well, as it goes before it otherwise.
    private static double fromZero(double price) {
        return Math.max(0, price);
    }

    static Costs read(Fields fields, Fields capabilities) {
        var source = fields.has("cost_per_skill") ? fields : capabilities;
        return new Costs(
                fields.findDecimal("cost"),
                fields.findDecimal("cost_per_second"),
                source.map("cost_per_skill", Fields::decimal));
    }

    void writeTo(JsonObject.Builder json) {
        if (perTask != null) {
            json.put("cost", JsonNumbers.of(perTask));
        }
        if (perSecond != null) {
            json.put("cost_per_second", JsonNumbers.of(perSecond));
        }
        var skills = JsonObject.builder();
        perSkill.forEach((skill, cost) -> skills.put(skill, JsonNumbers.of(cost)));
        json.put("cost_per_skill", skills.build());
    }
}
