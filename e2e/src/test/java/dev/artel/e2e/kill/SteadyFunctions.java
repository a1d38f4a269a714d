package dev.artel.e2e.kill;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintProvider;
import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.TaskType;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A durable function of three tasks that has to end well however often the orchestrator dies; it has it from a jar.
public final class SteadyFunctions implements BlueprintProvider {
    static final String NAME = "function3";

    /// For the service loader.
    public SteadyFunctions() {}

    @Override
    public List<Blueprint> blueprints() {
        var noop = TaskType.of("noop", JsonObject.class);
        return List.of(
                Blueprint.function(
                        BlueprintType.of(NAME, JsonObject.class, JsonObject.class),
                        (run, input) -> {
                            var id =
                                    run.record(
                                            "id", String.class, () -> UUID.randomUUID().toString());
                            var params = JsonObject.of("id", JsonValue.of(id));
                            var _ = run.call(noop, params);
                            run.sleep(Duration.ofMillis(20));
                            var _ = run.all(run.async(noop, params), run.async(noop, input));
                            return params;
                        }));
    }
}
