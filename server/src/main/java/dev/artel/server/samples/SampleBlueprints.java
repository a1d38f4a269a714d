package dev.artel.server.samples;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.util.stream.IntStream;

/// Small blueprints that an orchestrator without any of its own has.
public final class SampleBlueprints {
    /// Enough for the most children, each of which enters two states.
    private static final int STEPS_OF_A_MAP = 50_000;

    private SampleBlueprints() {}

    /// All of them.
    public static Blueprints all() {
        return Blueprints.of(echo(), chain3(), fanout(), square(), map());
    }

    /// `echo`: one task `echo` with the initial data; its answer is the result.
    public static Blueprint echo() {
        return Blueprint.named("echo")
                .start(
                        "send",
                        step ->
                                Action.dispatch(
                                        TaskSpec.of("echo", step.initialData()), next("end")))
                .leadingTo("end")
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    /// `chain3`: three tasks `noop`, one after another; the state of the second one is pure.
    public static Blueprint chain3() {
        return Blueprint.named("chain3")
                .start("first", step -> noop(step, "second"))
                .leadingTo("second")
                .state("second", step -> noop(step, "third"))
                .leadingTo("third")
                .pure()
                .state("third", step -> noop(step, "finished"))
                .leadingTo("finished")
                .end("finished")
                .build();
    }

    /// `fanout`: as many tasks `noop` at the same time as `count` sets, from 1 to 100,000; 10 if it is not set. The
    /// result has how many there were.
    public static Blueprint fanout() {
        return Blueprint.named("fanout")
                .start("spread", SampleBlueprints::spread)
                .leadingTo("join")
                .state(
                        "join",
                        step ->
                                Action.finish(
                                        JsonObject.of(
                                                "count", JsonValue.of(step.results().size()))))
                .build();
    }

    /// `square`: one task `noop`, then the square of `n`.
    public static Blueprint square() {
        return Blueprint.named("square")
                .start("work", step -> noop(step, "report"))
                .leadingTo("report")
                .state(
                        "report",
                        step -> {
                            var n = (long) number(step, "n", 0);
                            return Action.finish(JsonObject.of("square", JsonValue.of(n * n)));
                        })
                .pure()
                .build();
    }

    /// `map`: as many jobs of `square` as `count` sets, from 1 to 10,000, no more than `window` at once; 10 and 50 if they are not set. The
    /// result has the squares in their order.
    public static Blueprint map() {
        return Blueprint.named("map")
                .guards(Guards.DEFAULTS.withTreeSteps(STEPS_OF_A_MAP))
                .start("spread", SampleBlueprints::spreadJobs)
                .leadingTo("join")
                .state(
                        "join",
                        step ->
                                Action.finish(
                                        JsonObject.of(
                                                "squares",
                                                new JsonArray(
                                                        step.children().stream()
                                                                .map(SampleBlueprints::squareOf)
                                                                .toList()))))
                .build();
    }

    private static Action spreadJobs(Step step) {
        var count = (int) number(step, "count", 10);
        var window = (int) number(step, "window", 50);
        if (count < 1 || count > Action.RunBlueprints.MAX_CHILDREN || window < 1) {
            return Action.fail(
                    "count must be from 1 to "
                            + Action.RunBlueprints.MAX_CHILDREN
                            + " and window at least 1, were "
                            + count
                            + " and "
                            + window);
        }
        return Action.runBlueprints(
                        "square",
                        IntStream.range(0, count)
                                .mapToObj(n -> JsonObject.of("n", JsonValue.of(n)))
                                .toList(),
                        "join")
                .withWindow(window);
    }

    private static JsonValue squareOf(ChildResult child) {
        return ((JsonObject) child.result().orElseThrow()).get("square").orElseThrow();
    }

    private static double number(Step step, String name, double otherwise) {
        return step.initialData().number(name).map(JsonNumber::asDouble).orElse(otherwise);
    }

    private static Action noop(Step step, String then) {
        return Action.dispatch(TaskSpec.of("noop", step.initialData()), next(then));
    }

    private static Outcomes next(String state) {
        return Outcomes.on("success", state);
    }

    private static TaskSpec piece(int index) {
        return TaskSpec.of("noop", JsonObject.of("index", JsonValue.of(index)));
    }

    private static Action spread(Step step) {
        var count = step.initialData().number("count").map(JsonNumber::asDouble).orElse(10d);
        if (count < 1 || count > Action.DispatchParallel.MAX_TASKS) {
            return Action.fail(
                    "count must be from 1 to "
                            + Action.DispatchParallel.MAX_TASKS
                            + ", was "
                            + count);
        }
        return Action.dispatchParallel(
                IntStream.range(0, (int) Math.round(count))
                        .mapToObj(SampleBlueprints::piece)
                        .toList(),
                "join");
    }
}
