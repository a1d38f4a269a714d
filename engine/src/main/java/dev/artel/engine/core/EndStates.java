package dev.artel.engine.core;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.task.JobData;
import java.util.Optional;
import java.util.function.Function;

/// Knows the states that have no handler. A pure look-up: it must not wait.
@FunctionalInterface
public interface EndStates {
    /// Knows none: each state is asked for as a step.
    EndStates NONE = (_, _) -> Optional.empty();

    /// Those of the blueprints that `known` finds.
    static EndStates of(Function<BlueprintRef, Optional<Blueprint>> known) {
        return (blueprint, state) ->
                known.apply(blueprint)
                        .flatMap(found -> found.state(state))
                        .filter(State::isEnd)
                        .map(end -> end.finish(JobData.EMPTY));
    }

    /// What happens in `state` of `blueprint` without a handler; empty if it has one or is unknown.
    Optional<Action> outcomeIn(BlueprintRef blueprint, String state);
}
