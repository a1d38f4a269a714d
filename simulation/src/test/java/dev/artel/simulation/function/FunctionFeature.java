package dev.artel.simulation.function;

import dev.artel.blueprint.BlueprintType;
import dev.artel.blueprint.Run;
import dev.artel.blueprint.ValueType;
import dev.artel.blueprint.function.FunctionBlueprint.Setting;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.simulation.ArtelSimulation;
import dev.artel.simulation.ScriptedEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A durable function that calls all that functions have.
public final class FunctionFeature {
    private static final BlueprintType<JsonObject, Long> TYPE =
            new BlueprintType<>(
                    "function", ValueType.of(JsonObject.class), ValueType.of(Long.class));
    private static final String GO = "go";
    private static final String SECOND_RUN = "n";

    /// Each run of the code is one of a newer version.
    private final AtomicInteger releases = new AtomicInteger(1);

    private FunctionFeature() {}

    /// A job of it, which is sent a signal and asks a person.
    ///
    /// @param room how many functions stay in memory between their calls
    public static ArtelSimulation simulation(int room) {
        var setting = Setting.ofProcess().withRoom(room);
        var function =
                RandomFunction.function(
                        TYPE, Blueprint.named(TYPE.name()), new FunctionFeature()::result, setting);
        return ArtelSimulation.of(function)
                .child(RandomFunction.child(setting))
                .workers(RandomFunction.worker())
                .at(Duration.ofSeconds(2), ScriptedEvent.signal(GO, JsonNumber.of(5)))
                .at(Duration.ofSeconds(40), ScriptedEvent.decision("approve"));
    }

    private long result(Run<JsonObject> run, JsonObject input) {
        var _ = releases.incrementAndGet();
        var world = new DurableWorld(run, false, releases);
        if (input.has(SECOND_RUN)) {
            return world.call(false, input.number(SECOND_RUN).orElseThrow().asLong());
        }
        world.beginChild(1);
        var n = world.child(2) + world.signal(GO);
        for (var what : FunctionWorld.Varying.values()) {
            n = world.marked(what, n);
        }
        n += world.isApproved(n) ? 1 : 2;
        n += world.taskFails(n) && world.childFails(n) && world.noSignal("never") ? 4 : 8;
        n += world.await();
        for (var one : world.mapChildren(List.of(n, n + 1))) {
            n += one;
        }
        throw run.continueAsNew(JsonObject.of(SECOND_RUN, JsonNumber.of(world.retried(n))));
    }
}
