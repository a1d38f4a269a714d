package dev.artel.blueprint;

import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import java.util.List;

/// What an author gives to the orchestrator: the definition of a job. Immutable.
public final class Blueprint implements BlueprintSource {
    private final dev.artel.kernel.blueprint.Blueprint definition;

    /// Begins to write a blueprint as states.
    public static <I, O> States<I, O> states(BlueprintType<I, O> type) {
        return new States<>(type);
    }

    /// A blueprint that is one piece of code; see [DurableFunction].
    public static <I, O> Blueprint function(
            BlueprintType<I, O> type, DurableFunction<I, O> function) {
        return function(type, "1", function);
    }

    /// A blueprint of version `version` that is one piece of code; see [DurableFunction].
    public static <I, O> Blueprint function(
            BlueprintType<I, O> type, String version, DurableFunction<I, O> function) {
        var definition =
                dev.artel.kernel.blueprint.Blueprint.named(type.name())
                        .version(version)
                        .guards(FunctionBlueprint.GUARDS)
                        .result(type.output().type());
        if (type.input().type().isRecord()) {
            definition.initialData(type.input().type().asSubclass(Record.class));
        }
        return new Blueprint(
                FunctionBlueprint.of(
                                definition,
                                type.name(),
                                (run, input) ->
                                        type.output()
                                                .write(
                                                        function.run(
                                                                run,
                                                                type.input().read(input, "input"))),
                                FunctionBlueprint.Setting.ofProcess())
                        .blueprint());
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
