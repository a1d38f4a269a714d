package dev.artel.simulation.function;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.function.FunctionBlueprint;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.simulation.judges.JobJudge;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// The durable functions among the jobs of a scenario: some that may have children, and one that has none. Their threads run one at a time, in step with the
/// thread of the scenario, so that it takes the same course each time.
public final class ScenarioFunctions {
    /// Functions that clients submit, and that other blueprints run as children.
    public static final List<String> NAMES = List.of("fn0", "fn1");

    /// A function without children.
    private static final String LEAF = "leaf";

    /// No function leaves memory by time: that would pass outside of the simulation.
    private static final Duration KEEP = Duration.ofDays(1);

    private final World world;
    private final Map<String, JobProgram> programs = new LinkedHashMap<>();
    private final List<FunctionBlueprint> functions = new ArrayList<>();
    private final List<Blueprint> blueprints = new ArrayList<>();
    private final AtomicLong ids = new AtomicLong();

    /// @param types of tasks that workers do
    /// @param others blueprints that functions may run as children
    public ScenarioFunctions(World world, List<String> types, List<String> others) {
        this.world = world;
        if (!world.has(Trait.FUNCTIONS)) {
            return;
        }
        var children = new ArrayList<>(List.of(LEAF));
        children.addAll(others);
        for (var name : NAMES) {
            add(name, new JobFeatures(world.traits(), types, children));
        }
        add(LEAF, new JobFeatures(world.traits(), types, List.of()));
    }

    private void add(String name, JobFeatures features) {
        var random = world.random(Trait.FUNCTIONS);
        var program = new JobProgram(features);
        programs.put(name, program);
        var mutant = world.mutant().flatMap(FunctionMutant::of);
        var setting =
                new Setting(
                        world::now,
                        random,
                        () -> "e" + ids.incrementAndGet(),
                        new int[] {0, 1, 100}[random.nextInt(3)],
                        KEEP);
        var type =
                new BlueprintType<>(name, ValueType.of(JsonObject.class), ValueType.of(Long.class));
        var function =
                FunctionBlueprint.of(
                        Blueprint.named(name).guards(guards(random)),
                        type,
                        program::run,
                        mutant.map(it -> it.setting(setting)).orElse(setting));
        functions.add(function);
        blueprints.add(
                mutant.map(it -> it.planted(function.blueprint())).orElse(function.blueprint()));
    }

    private Guards guards(SplittableRandom random) {
        var guards = FunctionBlueprint.GUARDS;
        if (world.has(Trait.CHILDREN)) {
            guards = guards.withTreeSteps(random.nextInt(50, 1_000)).withTreeDepth(4);
        }
        if (!world.has(Trait.GUARDS)) {
            return guards;
        }
        guards =
                guards.withHandlerRetry(
                        new RetryPolicy(
                                random.nextInt(1, 4),
                                Duration.ofMillis(random.nextInt(2_000)),
                                2,
                                Duration.ofSeconds(10),
                                0.5));
        if (random.nextInt(2) == 0) {
            guards = guards.withTransitions(random.nextInt(3, 80));
        }
        return random.nextInt(3) == 0 ? guards.withHistory(random.nextInt(20, 300)) : guards;
    }

    /// To be registered.
    public List<Blueprint> blueprints() {
        return blueprints;
    }

    /// Whether `blueprint` is one of them.
    public boolean has(String blueprint) {
        return programs.containsKey(blueprint);
    }

    /// All that functions have in memory is gone, with their threads.
    public void forget() {
        functions.forEach(FunctionBlueprint::evictAll);
    }

    /// One who judges them.
    ///
    /// @param faults how handlers may fail
    /// @param values reads what is kept apart
    public JobJudge judge(List<String> faults, Function<Payload, JsonValue> values) {
        return new FunctionInvariants(world, programs, faults, values);
    }
}
