package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import java.util.List;

/// A state in which the job or a branch of it ends, or that chooses by code of its own.
public final class CustomState<I> extends StateDraft<I, CustomState<I>> {
    private final StepFunction<I, Action> action;

    CustomState(States<I, ?> states, StateRef state, StepFunction<I, Action> action) {
        super(states, state);
        this.action = action;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        return action.of(step);
    }

    @Override
    List<String> problems() {
        return List.of();
    }

    @Override
    CustomState<I> self() {
        return this;
    }
}
