package dev.artel.server.samples;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import java.util.stream.IntStream;

/// Small blueprints that an orchestrator without any of its own has.
public final class SampleBlueprints {
    private SampleBlueprints() {}

    /// All of them.
    public static Blueprints all() {
        return Blueprints.of(echo(), chain3(), fanout());
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

    /// `fanout`: as many tasks `noop` at the same time as `count` says, from 1 to 100,000; 10 if it says nothing. The
    /// result has how many there were.
    public static Blueprint fanout() {
        return Blueprint.named("fanout")
                .start("spread", SampleBlueprints::spread)
                .leadingTo("gather")
                .state(
                        "gather",
                        step ->
                                Action.finish(
                                        JsonObject.of(
                                                "count", JsonValue.of(step.results().size()))))
                .build();
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
                "gather");
    }
}
