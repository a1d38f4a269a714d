package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/// What happens in a state, while it is being written. Not safe for use by many threads.
///
/// @param <I> what the job was submitted with
/// @param <S> the draft itself
public abstract sealed class StateDraft<I, S extends StateDraft<I, S>>
        permits AskPerson,
                AwaitSignal,
                BeginNewRun,
                CallChild,
                CallChildren,
                CallTask,
                CallTasks,
                ChooseState,
                CustomState,
                ForkBranches,
                Move,
                StartJob {
    final States<I, ?> states;
    final StateRef state;
    private final SequencedSet<StateRef> next = new LinkedHashSet<>();
    private boolean isPure = true;
    private Optional<RetryPolicy> retry = Optional.empty();
    private Optional<Duration> time = Optional.empty();

    StateDraft(States<I, ?> states, StateRef state) {
        this.states = states;
        this.state = state;
    }

    /// Runs the code of this state only when what led to it is durable, which costs a write. For code that is not just
    /// computing, and for that which uses data stores.
    public S afterCommit() {
        isPure = false;
        return self();
    }

    /// Runs the code of this state at most so often when it fails, instead of the number that the guards set.
    ///
    /// @param most at least 1
    public S stepAttempts(int most) {
        retry = Optional.of(RetryPolicy.DEFAULTS.withMaxAttempts(most));
        return self();
    }

    /// Lets one run of the code of this state take so long, instead of the number that the guards set.
    public S stepTimeout(Duration most) {
        time = Optional.of(most);
        return self();
    }

    /// What the state does.
    abstract Action action(Step<I> step) throws Exception;

    /// What is missing or wrong, each in a sentence that goes on after the state's name.
    abstract List<String> problems();

    abstract S self();

    StateRef leadsTo(StateRef ref) {
        if (!ref.isOf(states)) {
            states.refuse(
                    "state '"
                            + state
                            + "' leads to state '"
                            + ref
                            + "' of another blueprint; take a state of this one");
        }
        next.add(ref);
        return ref;
    }

    /// Adds to the state that was written last where it leads and how it is run.
    void write(dev.artel.kernel.blueprint.Blueprint.Builder to) {
        to.leadingTo(next.stream().map(StateRef::name).toArray(String[]::new));
        if (isPure) {
            to.pure();
        }
        retry.ifPresent(to::retry);
        time.ifPresent(to::handlerTime);
    }

    /// A list to note problems in.
    static List<String> none() {
        return new ArrayList<>();
    }
}
