package dev.artel.blueprint;

import dev.artel.blueprint.annotated.AnnotatedDefinition;
import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import java.util.List;
import java.util.function.UnaryOperator;

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
        return function(type, version, UnaryOperator.identity(), function);
    }

    /// A blueprint of version `version` that is one piece of code; see [DurableFunction].
    ///
    /// @param guards what keeps its jobs from going on forever: `it -> it.withHistory(20_000)`; a million states and events if it changes
    /// nothing
    public static <I, O> Blueprint function(
            BlueprintType<I, O> type,
            String version,
            UnaryOperator<JobGuards> guards,
            DurableFunction<I, O> function) {
        var definition =
                dev.artel.kernel.blueprint.Blueprint.named(type.name())
                        .version(version)
                        .guards(guards.apply(new JobGuards(FunctionBlueprint.GUARDS)).kernel())
                        .result(type.output().type());
        if (type.input().type().isRecord()) {
            definition.initialData(type.input().type().asSubclass(Record.class));
        }
        return new Blueprint(
                FunctionBlueprint.of(
                                definition, type, function, FunctionBlueprint.Setting.ofProcess())
                        .blueprint());
    }

    /// The blueprint that an object with [BlueprintDefinition] writes down; its handlers must be safe for use by many threads.
    ///
    /// ```java
    /// @BlueprintDefinition(name = "greeting", initialData = Guest.class)
    /// final class Greeting {
    ///     static final TaskType<Guest, Greeted> GREET = TaskType.of("greet", Guest.class, Greeted.class);
    ///
    ///     @StateHandler(value = "ask", start = true, resultAs = "greeted", leadsTo = "report")
    ///     TaskCall<Greeted> ask(Guest initialData) {
    ///         return TaskCall.of(GREET, initialData);
    ///     }
    ///
    ///     @StateHandler("report")
    ///     Report report(Greeted greeted, String jobId) {
    ///         return new Report(greeted.text() + " (" + jobId + ")");
    ///     }
    /// }
    /// ```
    ///
    /// A parameter may be the whole [Step]. Others are injected by name: `jobId`, `initialData`, `stateHistory` (the job's data), `client`, `clientPlan`,
    /// `clientParams`, `labels`, `results`, `children`, `failures`, `approval` and `attempt`; else a data store; else a value of the job's data or of its
    /// initial data, in that order.
    ///
    /// @throws IllegalArgumentException with all problems, if there are any, or if its class is not marked
    public static Blueprint annotated(Object definition) {
        return new Blueprint(
                AnnotatedSchedules.added(
                        definition.getClass(), AnnotatedDefinition.of(definition)));
    }

    /// The blueprint that an object of `type` writes down, which has a constructor without parameters.
    ///
    /// @throws IllegalArgumentException with all problems, if there are any, or if there can be no such object
    public static Blueprint annotated(Class<?> type) {
        return new Blueprint(AnnotatedSchedules.added(type, AnnotatedDefinition.of(type)));
    }

    Blueprint(dev.artel.kernel.blueprint.Blueprint definition) {
        this.definition = definition;
    }

    /// This blueprint, jobs of whose newest version begin by `schedule`. The orchestrator keeps a schedule whose blueprint is gone, and
    /// an operator deletes it.
    ///
    /// @param name 1 to 100 letters, digits, '-', '_' or '.'; no two schedules of an orchestrator have the same
    /// @throws IllegalArgumentException if `name` is none
    public Blueprint schedule(String name, JobSchedule schedule) {
        Names.check("a schedule's name", name);
        return new Blueprint(definition.withSchedule(name, schedule.written()));
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
