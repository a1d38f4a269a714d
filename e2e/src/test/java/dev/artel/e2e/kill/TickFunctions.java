package dev.artel.e2e.kill;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintProvider;
import dev.artel.blueprint.BlueprintType;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.List;

/// A durable function without tasks that takes a moment, so that ticks meet jobs that have not ended.
public final class TickFunctions implements BlueprintProvider {
    static final String NAME = "moment";

    /// For the service loader.
    public TickFunctions() {}

    @Override
    public List<Blueprint> blueprints() {
        return List.of(
                Blueprint.function(
                        BlueprintType.of(NAME, JsonObject.class, JsonObject.class),
                        (run, input) -> {
                            run.sleep(Duration.ofMillis(100));
                            return input;
                        }));
    }
}
