package dev.artel.engine.core;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.BlueprintRef;
import java.util.Optional;

/// Knows the states that have no handler. A pure look-up: it must not wait.
@FunctionalInterface
public interface EndStates {
    /// Knows none: each state is asked for as a step.
    EndStates NONE = (_, _) -> Optional.empty();

    /// What happens in `state` of `blueprint` without a handler; empty if it has one or is unknown.
    Optional<Action> outcomeIn(BlueprintRef blueprint, String state);
}
