package dev.artel.blueprint;

import dev.artel.blueprint.function.CompensatedWork;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.function.Function;

/// Compensates each thing that a state did by a task of its own, with what its result is or what is made of it.
///
/// @param result of a task or a child of the state
/// @param by the tasks that compensate them
/// @param params makes the parameters of such a task
record ResultCompensation<R, C>(
        ValueType<R> result, TaskType<C, ?> by, Function<? super R, ? extends C> params) {
    /// Has the tasks done, then goes to `next`.
    Action begin(Step step, String next) {
        var specs = new ArrayList<TaskSpec>();
        for (var json : done(step).results(step.past())) {
            specs.add(TaskDraft.spec(by, params.apply(read(step, json))));
        }
        return CompensatedWork.begin(specs, next);
    }

    /// Ends the branch, in a failure if something could not be compensated.
    Action end(Step step) {
        return done(step).end(step);
    }

    private R read(Step step, JsonValue json) {
        try {
            return result.read(json instanceof JsonNull ? JsonObject.EMPTY : json, "its result");
        } catch (Unfit wrong) {
            throw MissingValue.of(step, "a " + result, String.valueOf(wrong.getMessage()));
        }
    }

    private static CompensatedWork done(Step step) {
        return CompensatedWork.of(step)
                .orElseThrow(() ->
                        new IllegalStateException(
                                "state '"
                                        + step.state()
                                        + "' of job "
                                        + step.job()
                                        + " compensates what another state did, and the job compensates nothing;"
                                        + " let no state lead to it"));
    }
}
