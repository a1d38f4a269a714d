package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Outcomes;
import java.util.Optional;
import java.util.function.Function;

/// How one of many children ended, as the state that joins them sees it. Its result is read by each call and kept
/// nowhere, so that ten thousand large results are no matter of memory. Safe for use by many threads.
///
/// @param <O> with what a child finishes
public final class ChildResult<O> {
    private final dev.artel.kernel.blueprint.ChildResult child;
    private final Function<JsonValue, O> reading;

    private ChildResult(
            dev.artel.kernel.blueprint.ChildResult child, Function<JsonValue, O> reading) {
        this.child = child;
        this.reading = reading;
    }

    /// How a child ended.
    public enum Outcome {
        /// It reached its end.
        FINISHED,
        /// It failed, or could not begin.
        FAILED,
        /// It was cancelled, or was no longer wanted before it had begun or ended.
        CANCELLED,
        /// It waits for a person, and its parent does not.
        QUARANTINED
    }

    /// What the kernel reports of a child, with the value that `reading` makes of its result.
    static <O> ChildResult<O> of(
            dev.artel.kernel.blueprint.ChildResult child, Function<JsonValue, O> reading) {
        return new ChildResult<>(child, reading);
    }

    /// Its place among the children, from 0: that of its input.
    public int index() {
        return child.index();
    }

    /// The id of its job.
    public String job() {
        return child.job().value();
    }

    /// How it ended.
    public Outcome outcome() {
        return switch (child.outcome()) {
            case Outcomes.FINISHED -> Outcome.FINISHED;
            case Outcomes.CANCELLED -> Outcome.CANCELLED;
            case ChildReport.QUARANTINED -> Outcome.QUARANTINED;
            default -> Outcome.FAILED;
        };
    }

    /// Whether it reached its end.
    public boolean hasFinished() {
        return child.hasFinished();
    }

    /// With what it finished; empty if it did not.
    public Optional<O> result() {
        return hasFinished()
                ? Optional.of(reading.apply(child.result().orElse(JsonObject.EMPTY)))
                : Optional.empty();
    }

    /// Why it has not finished, as far as is known, or why its result was not handed on.
    public Optional<String> error() {
        return child.error();
    }

    @Override
    public String toString() {
        return "child " + index() + " (" + job() + ", " + outcome() + ")";
    }
}
