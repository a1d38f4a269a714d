package dev.artel.simulation;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.protocol.TaskOutcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// What a [FakeWorker] makes of a task. After a second, unless [#after] sets another time.
public sealed interface ScriptedAnswer {
    /// How long an answer takes that sets no time.
    Duration DEFAULT = Duration.ofSeconds(1);

    /// The task is done.
    static ScriptedAnswer success() {
        return success(JsonObject.EMPTY);
    }

    /// The task is done, with `data`.
    static ScriptedAnswer success(JsonObject data) {
        return status("success", data);
    }

    /// The task is done, with what `data` makes of its parameters.
    static ScriptedAnswer computed(UnaryOperator<JsonValue> data) {
        return new Computed(data);
    }

    /// The task came to an end for which the blueprint has the word `status`.
    static ScriptedAnswer status(String status, JsonObject data) {
        return new Says(new TaskOutcome.Succeeded(status, data));
    }

    /// The attempt failed, and another one may succeed.
    static ScriptedAnswer failure(String message) {
        return new Says(new TaskOutcome.Failed(TaskOutcome.TRANSIENT_ERROR, message));
    }

    /// The attempt failed, as every other would.
    static ScriptedAnswer permanentFailure(String message) {
        return new Says(new TaskOutcome.Failed(TaskOutcome.PERMANENT_ERROR, message));
    }

    /// The worker goes on forever, and gives up on a cancel.
    static ScriptedAnswer silence() {
        return new Silent();
    }

    /// The worker dies of it, and is started again after `pause`.
    static ScriptedAnswer crash(Duration pause) {
        return new Crashes(pause);
    }

    /// The worker asks something, and goes on with what `then` makes of what it hears; see [ScriptedEvent#answer].
    ///
    /// @param choices what may be answered; none: anything
    static ScriptedAnswer asking(
            String question, List<String> choices, Function<String, ScriptedAnswer> then) {
        return new Asks(question, choices, then);
    }

    /// With a probability the one, else the other; the seed decides.
    static ScriptedAnswer sometimes(double probability, ScriptedAnswer one, ScriptedAnswer other) {
        if (!(probability >= 0 && probability <= 1)) {
            throw new IllegalArgumentException(
                    "a probability must be from 0 to 1, was " + probability);
        }
        return new Sometimes(probability, one, other);
    }

    /// This answer after a time of work.
    default ScriptedAnswer after(Duration time) {
        return new Later(time, this);
    }

    /// A report.
    record Says(TaskOutcome outcome) implements ScriptedAnswer {}

    /// A success of which the parameters decide.
    record Computed(UnaryOperator<JsonValue> data) implements ScriptedAnswer {}

    /// A question.
    record Asks(String question, List<String> choices, Function<String, ScriptedAnswer> then)
            implements ScriptedAnswer {}

    /// Nothing.
    record Silent() implements ScriptedAnswer {}

    /// The end of the worker's process.
    record Crashes(Duration pause) implements ScriptedAnswer {}

    /// One of two.
    record Sometimes(double probability, ScriptedAnswer one, ScriptedAnswer other)
            implements ScriptedAnswer {}

    /// One that takes its time.
    record Later(Duration time, ScriptedAnswer scriptedAnswer) implements ScriptedAnswer {}
}
