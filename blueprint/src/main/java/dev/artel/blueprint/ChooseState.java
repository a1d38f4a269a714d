package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A state that chooses between others: the first condition that holds decides, in the order in which they were written.
public final class ChooseState<I> extends StateDraft<I, ChooseState<I>> {
    private final List<Case<I>> cases = new ArrayList<>();
    private @Nullable StateRef otherwise;

    private record Case<I>(StepFunction<I, Boolean> condition, StateRef next) {}

    ChooseState(States<I, ?> states, StateRef state) {
        super(states, state);
    }

    /// Goes to `next` where `condition` holds and none before it did.
    public ChooseState<I> when(StepFunction<I, Boolean> condition, StateRef next) {
        cases.add(new Case<>(condition, leadsTo(next)));
        return this;
    }

    /// Goes to `next` where no condition holds.
    public ChooseState<I> otherwise(StateRef next) {
        otherwise = leadsTo(next);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        for (var each : cases) {
            if (each.condition.of(step)) {
                return Action.transitionTo(each.next.name());
            }
        }
        return Action.transitionTo(States.named(otherwise));
    }

    @Override
    List<String> problems() {
        return otherwise == null
                ? List.of("leads nowhere where none of its conditions holds; add otherwise(state)")
                : List.of();
    }

    @Override
    ChooseState<I> self() {
        return this;
    }
}
