package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A state that starts branches, each in a state of its own, and waits for their ends. A branch ends by [StateBuilder#endBranch] or
/// [StateBuilder#failBranch].
public final class ForkBranches<I> extends StateDraft<I, ForkBranches<I>> {
    private final List<StateRef> starts;
    private JoinPolicy policy = JoinPolicy.ALL;
    private @Nullable StateRef join;
    private @Nullable StateRef otherwise;

    ForkBranches(States<I, ?> states, StateRef state, List<StateRef> starts) {
        super(states, state);
        this.starts = List.copyOf(starts);
        this.starts.forEach(this::leadsTo);
    }

    /// Joined as soon as so many have succeeded; the rest is withdrawn.
    public ForkBranches<I> atLeast(int required) {
        policy = JoinPolicy.atLeast(required);
        return this;
    }

    /// Not to be joined from the first failure on; the rest is withdrawn.
    public ForkBranches<I> failFast() {
        policy = JoinPolicy.FAIL_FAST;
        return this;
    }

    /// Joined when all have ended, however.
    public ForkBranches<I> settled() {
        policy = JoinPolicy.SETTLED;
        return this;
    }

    /// Goes to `next` when they are joined.
    public ForkBranches<I> then(StateRef next) {
        join = leadsTo(next);
        return this;
    }

    /// Goes to `next` when they cannot be joined; the job is quarantined or fails by default.
    public ForkBranches<I> otherwise(StateRef next) {
        otherwise = leadsTo(next);
        return this;
    }

    @Override
    Action action(Step<I> step) {
        var fork =
                Action.fork(starts.stream().map(StateRef::name).toList(), States.named(join))
                        .withPolicy(policy);
        return otherwise == null ? fork : fork.otherwise(otherwise.name());
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (starts.isEmpty()) {
            problems.add("forks into no branches; name the state in which each begins");
        }
        if (join == null) {
            problems.add("forks and leads nowhere; add then(state)");
        }
        return problems;
    }

    @Override
    ForkBranches<I> self() {
        return this;
    }
}
