package dev.artel.blueprint;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.MissingValue;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.job.Outcomes;
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
        return switch (specs.size()) {
            case 0 -> Action.transitionTo(next);
            case 1 -> Action.dispatch(specs.getFirst(), Outcomes.on("success", next));
            default -> Action.dispatchParallel(specs, next).withPolicy(JoinPolicy.SETTLED);
        };
    }

    /// Ends the branch, badly if something could not be compensated.
    Action end(Step step) {
        var failures = Failure.of(step);
        var left = done(step).withoutResult(step.past());
        if (failures.isEmpty() && left == 0) {
            return Action.endBranch();
        }
        var reasons = new ArrayList<String>();
        if (!failures.isEmpty()) {
            reasons.add(
                    failures.size()
                            + " of "
                            + step.results().size()
                            + " tasks '"
                            + by
                            + "' failed, the first with: "
                            + failures.getFirst().message());
        }
        if (left > 0) {
            reasons.add(
                    left
                            + " of "
                            + done(step).count()
                            + " tasks may have been done, and have no result with which they could be compensated;"
                            + " compensate them by hand");
        }
        return Action.failBranch(String.join("; ", reasons));
    }

    private R read(Step step, JsonValue json) {
        try {
            return result.read(json instanceof JsonNull ? JsonObject.EMPTY : json, "its result");
        } catch (Unfit wrong) {
            throw MissingValue.of(step, "a " + result, String.valueOf(wrong.getMessage()));
        }
    }

    private static Done done(Step step) {
        return Done.of(step)
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
