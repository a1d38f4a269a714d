package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import java.util.List;

/// A state that begins a new run of its job. Of what the job has gathered, the new run has what is [#set] here and nothing else.
public final class BeginNewRun<I> extends StateDraft<I, BeginNewRun<I>> {
    private final StateRef first;
    private final Settings<I> settings = new Settings<>();

    BeginNewRun(States<I, ?> states, StateRef state, StateRef first) {
        super(states, state);
        this.first = leadsTo(first);
    }

    /// Sets `variable` in the data of the new run.
    public <T> BeginNewRun<I> set(Variable<T> variable, StepFunction<I, T> value) {
        settings.add(variable, value);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        return Action.continueAsNew(first.name(), settings.of(step));
    }

    @Override
    List<String> problems() {
        var problems = none();
        settings.keep(states, problems);
        return problems;
    }

    @Override
    BeginNewRun<I> self() {
        return this;
    }
}
