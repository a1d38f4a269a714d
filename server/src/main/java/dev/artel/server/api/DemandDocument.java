package dev.artel.server.api;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.placement.Affinity;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.placement.DeviceNeed;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.placement.Selector;
import dev.artel.kernel.placement.Warmth;
import java.util.Locale;

/// What a task asks of its worker, as clients see it; what it does not ask is left out.
final class DemandDocument {
    private DemandDocument() {}

    static JsonObject of(Demand demand) {
        var json = JsonObject.builder();
        var needs = demand.needs();
        if (!needs.amounts().isEmpty()) {
            var amounts = JsonObject.builder();
            needs.amounts().forEach((name, least) -> amounts.put(name, JsonValue.of(least)));
            json.put("at_least", amounts.build());
        }
        if (!needs.devices().isEmpty()) {
            var devices = needs.devices().stream().map(DemandDocument::of).toList();
            json.put("devices", new JsonArray(devices));
        }
        if (!needs.models().isEmpty()) {
            json.put("installed_models", JsonArray.ofStrings(needs.models()));
        }
        if (!needs.labels().isEmpty()) {
            var labels = needs.labels().stream().map(DemandDocument::of).toList();
            json.put("labels", new JsonArray(labels));
        }
        demand.maxCost().ifPresent(most -> json.put("max_cost", JsonValue.of(most)));
        demand.category().ifPresent(category -> json.put("category", category));
        var choice = demand.choice();
        json.put("strategy", choice.strategy().word());
        switch (choice.warmth()) {
            case Warmth.Any _ -> {
                // nothing is asked
            }
            case Warmth.Required _ -> json.put("require_warm", true);
            case Warmth.PreferredFor(var time) ->
                    json.put("prefer_warm_for_seconds", JsonValue.of(time.toMillis() / 1000.0));
        }
        choice.affinity().ifPresent(affinity -> json.put("affinity", of(affinity)));
        if (choice.exclusion() != Exclusion.OTHERS_FIRST) {
            json.put("after_failure", choice.exclusion().name().toLowerCase(Locale.ROOT));
        }
        return json.build();
    }

    private static JsonValue of(DeviceNeed need) {
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
