package dev.artel.engine.core;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.State;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.task.JobData;
import java.util.Optional;
import java.util.function.Function;

/// What a [JobsCore] knows of definitions. A pure look-up: it must not wait.
public interface Definitions {
    /// Knows none: each state is asked for as a step.
    Definitions NONE = of(_ -> Optional.empty());

    /// What the blueprints define that `known` finds.
    static Definitions of(Function<BlueprintRef, Optional<Blueprint>> known) {
        return (blueprint, state) -> known.apply(blueprint).flatMap(found -> found.state(state));
    }

    /// A state; empty if no blueprint has it.
    Optional<State> state(BlueprintRef blueprint, String state);

    /// What happens in `state` of `blueprint` without a handler; empty if it has one or is unknown.
    default Optional<Action> outcomeIn(BlueprintRef blueprint, String state) {
        return state(blueprint, state).filter(State::isEnd).map(end -> end.finish(JobData.EMPTY));
    }

    /// Whether the handler of `state` only computes.
    default boolean isPure(BlueprintRef blueprint, String state) {
        return state(blueprint, state).filter(State::pure).isPresent();
    }

    /// Whether the handler of `state` runs for one branch of a job at a time.
    default boolean isSerial(BlueprintRef blueprint, String state) {
        return state(blueprint, state).filter(State::serial).isPresent();
    }
}
