package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A state that goes to one other state, after time has passed or values were set.
public final class Move<I> extends StateDraft<I, Move<I>> {
    private final Way<I> way;
    private final Settings<I> settings = new Settings<>();
    private @Nullable StateRef next;

    /// How a step gets to the next state.
    interface Way<I> {
        Action to(String next, Step<I> step) throws Exception;
    }

    Move(States<I, ?> states, StateRef state, Way<I> way) {
        super(states, state);
        this.way = way;
    }

    /// Sets `variable` in the job's data.
    public <T> Move<I> set(Variable<T> variable, StepFunction<I, T> value) {
        settings.add(variable, value);
        return this;
    }

    /// Goes to `following`.
    public Move<I> then(StateRef following) {
        next = leadsTo(following);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        return way.to(States.named(next), step).with(settings.of(step));
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (next == null) {
            problems.add("leads nowhere; add then(state)");
        }
        settings.keep(states, problems);
        return problems;
    }

    @Override
    Move<I> self() {
        return this;
    }
}
