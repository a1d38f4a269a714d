package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Deadline;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A state that waits for a signal, whose payload [Step#signal] has from then on.
public final class AwaitSignal<I, T> extends StateDraft<I, AwaitSignal<I, T>> {
    private final Signal<T> signal;
    private @Nullable StateRef next;
    private @Nullable Deadline deadline;

    AwaitSignal(States<I, ?> states, StateRef state, Signal<T> signal) {
        super(states, state);
        this.signal = signal;
    }

    /// Goes to `following` when it has come.
    public AwaitSignal<I, T> then(StateRef following) {
        next = leadsTo(following);
        return this;
    }

    /// Goes to `late` when it has not come in time; it is waited for as long as it takes by default.
    public AwaitSignal<I, T> within(Duration time, StateRef late) {
        deadline = new Deadline(time, leadsTo(late).name());
        return this;
    }

    @Override
    Action action(Step<I> step) {
        var wait = Action.awaitSignal(signal.name(), States.named(next));
        return deadline == null ? wait : wait.within(deadline.within(), deadline.state());
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (next == null) {
            problems.add("waits for signal '" + signal + "' and leads nowhere; add then(state)");
        }
        states.keep(signal.name(), "the payload of the signal", signal.payload(), problems);
        return problems;
    }

    @Override
    AwaitSignal<I, T> self() {
        return this;
    }
}
