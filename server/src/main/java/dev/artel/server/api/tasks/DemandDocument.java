package dev.artel.server.api.tasks;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.DeviceRequirement;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.SecretUse;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.WarmPolicy;
import java.util.Locale;

/// What a task asks of its worker, as clients see it; what it does not ask is left out.
public final class DemandDocument {
    private DemandDocument() {}

    /// What `demand` asks.
    public static JsonObject of(Demand demand) {
        var json = JsonObject.builder();
        var requirements = demand.requirements();
        if (!requirements.amounts().isEmpty()) {
            var amounts = JsonObject.builder();
            requirements.amounts().forEach((name, least) -> amounts.put(name, JsonValue.of(least)));
            json.put("at_least", amounts.build());
        }
        if (!requirements.devices().isEmpty()) {
            var devices = requirements.devices().stream().map(DemandDocument::of).toList();
            json.put("devices", new JsonArray(devices));
        }
        if (!requirements.models().isEmpty()) {
            json.put("installed_models", JsonArray.ofStrings(requirements.models()));
        }
        if (!requirements.labels().isEmpty()) {
            var labels = requirements.labels().stream().map(DemandDocument::of).toList();
            json.put("labels", new JsonArray(labels));
        }
        demand.maxCost().ifPresent(most -> json.put("max_cost", JsonValue.of(most)));
        demand.category().ifPresent(category -> json.put("category", category));
        var preferences = demand.preferences();
        json.put("strategy", preferences.strategy().word());
        switch (preferences.warmPolicy()) {
            case WarmPolicy.Any _ -> {
                // nothing is asked
            }
            case WarmPolicy.Required _ -> json.put("require_warm", true);
            case WarmPolicy.PreferredFor(var time) ->
                    json.put("prefer_warm_for_seconds", JsonValue.of(time.toMillis() / 1000.0));
        }
        preferences.affinity().ifPresent(affinity -> json.put("affinity", of(affinity)));
        if (preferences.exclusion() != Exclusion.OTHERS_FIRST) {
            json.put("after_failure", preferences.exclusion().name().toLowerCase(Locale.ROOT));
        }
        if (!demand.secrets().isEmpty()) {
            var names = demand.secrets().stream().map(SecretUse::name).distinct().toList();
            json.put("secrets", JsonArray.ofStrings(names));
        }
        return json.build();
    }

    private static JsonValue of(DeviceRequirement need) {
        var json = JsonObject.builder().put("model", need.model()).put("count", need.count());
        need.amounts().forEach((name, least) -> json.put(name, JsonValue.of(least)));
        return json.build();
    }

    private static JsonValue of(Selector selector) {
        var json =
                JsonObject.builder()
                        .put("label", selector.label())
                        .put("test", selector.test().name().toLowerCase(Locale.ROOT));
        if (!selector.values().isEmpty()) {
            json.put("values", JsonArray.ofStrings(selector.values()));
        }
        return json.build();
    }

    private static JsonObject of(Affinity affinity) {
        var json =
                JsonObject.builder()
                        .put("task", affinity.task())
                        .put("required", JsonValue.of(affinity.required()));
        affinity.worker().ifPresent(worker -> json.put("worker", worker.value()));
        return json.build();
    }
}
