package dev.artel.simulation.random;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.task.Payload;
import dev.artel.protocol.TaskOutcome;
import dev.artel.simulation.workers.Script;
import dev.artel.simulation.world.ScriptedNames;
import dev.artel.simulation.world.Trait;
import dev.artel.simulation.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Takes as long as chance wants it, and fails when faults strike.
final class RandomScript implements Script {
    private final World world;

    RandomScript(World world) {
        this.world = world;
    }

    @Override
    public Plan on(HandOut task) {
        return world.strikes(Trait.QUESTIONS, 0.4) ? asking(task) : working(task);
    }

    private Plan working(HandOut task) {
        return new Plan(duration(), () -> new Ending.Report(outcome(task)));
    }

    private Plan asking(HandOut task) {
        var id = "question-" + world.between(0, 2);
        var choices = world.chance(0.5) ? ScriptedNames.ANSWERS : List.<String>of();
        var within =
                world.chance(0.4)
                        ? Optional.of(Duration.ofMillis(world.between(1_000, 60_000)))
                        : Optional.<Duration>empty();
        return new Plan(
                world.between(1, 3_000),
                () ->
                        new Ending.Ask(
                                id,
                                "which of " + choices + "?",
                                choices,
                                within,
                                _ ->
                                        world.strikes(Trait.QUESTIONS, 0.3)
                                                ? asking(task)
                                                : working(task)));
    }

    private long duration() {
        if (world.strikes(Trait.TASKS_HANG, 0.1)) {
            return world.between(60_000, 400_000);
        }
        return !world.isCalm() && world.chance(0.2)
                ? world.between(1_000, 60_000)
                : world.between(1, 2_000);
    }

    private TaskOutcome outcome(HandOut task) {
        if (world.strikes(Trait.TASKS_FAIL, 0.3)) {
            return switch ((int) world.between(0, 5)) {
                case 0 -> new TaskOutcome.Failed(TaskOutcome.PERMANENT_ERROR, "cannot work");
                case 1 -> new TaskOutcome.Failed(TaskOutcome.INVALID_INPUT_ERROR, "wrong");
                case 2 ->
                        new TaskOutcome.Succeeded(RandomBlueprints.OTHER_STATUS, JsonObject.EMPTY);
                default -> new TaskOutcome.Failed(TaskOutcome.TRANSIENT_ERROR, "no luck");
            };
        }
        var made = JsonObject.of("made", JsonValue.of(world.between(0, 99)));
        return TaskOutcome.success(isJudgement(task) ? made.with("score", score()) : made);
    }

    /// Whether `task` judges what a step of a card has made.
    private static boolean isJudgement(HandOut task) {
        return task.spec().params() instanceof Payload.Inline(JsonObject params)
                && params.has("thresholds");
    }

    private JsonValue score() {
        return JsonNumber.of(world.random(Trait.CARDS).nextInt(11) / 10.0);
    }
}
