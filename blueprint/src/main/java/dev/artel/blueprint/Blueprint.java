package dev.artel.blueprint;

import dev.artel.kernel.blueprint.BlueprintSource;
import java.util.List;

/// What an author gives to the orchestrator: the definition of a job. Immutable.
public final class Blueprint implements BlueprintSource {
    private final dev.artel.kernel.blueprint.Blueprint definition;

    /// Begins to write a blueprint as states.
    public static <I, O> States<I, O> states(BlueprintType<I, O> type) {
        return new States<>(type);
    }

    Blueprint(dev.artel.kernel.blueprint.Blueprint definition) {
        this.definition = definition;
    }

    /// The name under which jobs are submitted.
    public String name() {
        return definition.name();
    }

    /// The author's word.
    public String version() {
        return definition.version();
    }

    /// What the engine runs.
    public dev.artel.kernel.blueprint.Blueprint definition() {
        return definition;
    }

    @Override
    public List<dev.artel.kernel.blueprint.Blueprint> blueprints() {
        return List.of(definition);
    }

    @Override
    public String toString() {
        return definition.toString();
    }
}
