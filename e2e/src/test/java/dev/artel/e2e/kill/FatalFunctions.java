package dev.artel.e2e.kill;

import dev.artel.blueprint.Blueprint;
import dev.artel.blueprint.BlueprintProvider;
import dev.artel.blueprint.BlueprintType;
import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.List;

/// Durable functions that are the end of the orchestrator; it has them from a jar.
public final class FatalFunctions implements BlueprintProvider {
    static final String FILLS = "function_fills";
    static final String EXITS = "function_exits";
    static final int EXIT_CODE = 9;

    /// For the service loader.
    public FatalFunctions() {}

    @Override
    public List<Blueprint> blueprints() {
        return List.of(
                Blueprint.function(
                        BlueprintType.of(FILLS, JsonObject.class),
                        (run, _) -> {
                            run.sleep(Duration.ofMillis(100));
                            HeapBlueprints.fillHeap(1);
                            return null;
                        }),
                Blueprint.function(
                        BlueprintType.of(EXITS, JsonObject.class),
                        (run, _) -> {
                            run.sleep(Duration.ofMillis(100));
                            System.exit(EXIT_CODE);
                            return null;
                        }));
    }
}
