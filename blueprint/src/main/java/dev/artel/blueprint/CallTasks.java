package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.task.TaskSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A state that has many tasks of one type done. The state that joins them has their results: [Step#results(TaskType)].
public final class CallTasks<I, P, R> extends StateDraft<I, CallTasks<I, P, R>>
        implements TaskOptions<CallTasks<I, P, R>> {
    private final TaskType<P, R> type;
    private final StepFunction<I, List<P>> params;
    private final TaskDraft<P> task;
    private final CompensationDraft<I> compensation = new CompensationDraft<>();
    private int window = Action.DispatchParallel.DEFAULT_WINDOW;
    private JoinPolicy policy = JoinPolicy.ALL;
    private @Nullable StateRef join;
    private @Nullable StateRef otherwise;

    CallTasks(
            States<I, ?> states,
            StateRef state,
            TaskType<P, R> type,
            StepFunction<I, List<P>> params) {
        super(states, state);
        this.type = type;
        this.params = params;
        this.task = new TaskDraft<>(type);
    }

    @Override
    public CallTasks<I, P, R> with(TaskSetting setting) {
        task.with(setting);
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `type` compensates what it did. Its parameters are computed
    /// together with this state's, before there is a result.
    public <C> CallTasks<I, P, R> compensatedBy(TaskType<C, ?> type, StepFunction<I, C> params) {
        compensation.by(type, params);
        return this;
    }

    /// If the job fails or is cancelled after it, tasks of type `by` compensate what it did: one for each that succeeded, which gets the
    /// result of that one. Two states do it, `STATE_compensation` and `STATE_compensated`.
    public CallTasks<I, P, R> compensatedBy(TaskType<? super R, ?> by) {
        return compensatedByResult(by, value -> value);
    }

    /// As [#compensatedBy(TaskType)], with what `params` makes of each result.
    public <C> CallTasks<I, P, R> compensatedByResult(
            TaskType<C, ?> by, Function<? super R, ? extends C> params) {
        return compensatedBy(
                states.compensation(state, new ResultCompensation<>(type.result(), by, params)));
    }

    /// If the job fails or is cancelled after it, `by` compensates what it did. That state sees the job's data as they are then and how
    /// the tasks have ended, and it, or one to which it leads, ends its branch.
    public CallTasks<I, P, R> compensatedBy(StateRef by) {
        compensation.by(leadsTo(by));
        states.joins(by, type);
        return this;
    }

    /// Has at most so many open at once.
    ///
    /// @param most at least 1
    public CallTasks<I, P, R> window(int most) {
        window = most;
        return this;
    }

    /// Joined as soon as so many have succeeded; the rest is withdrawn.
    public CallTasks<I, P, R> atLeast(int required) {
        policy = JoinPolicy.atLeast(required);
        return this;
    }

    /// Not to be joined from the first failure on; the rest is withdrawn.
    public CallTasks<I, P, R> failFast() {
        policy = JoinPolicy.FAIL_FAST;
        return this;
    }

    /// Joined when all have ended, however.
    public CallTasks<I, P, R> settled() {
        policy = JoinPolicy.SETTLED;
        return this;
    }

    /// Goes to `next` when they are joined.
    public CallTasks<I, P, R> then(StateRef next) {
        join = leadsTo(next);
        states.joins(next, type);
        return this;
    }

    /// Goes to `next` when they cannot be joined; the job is quarantined or fails by default.
    public CallTasks<I, P, R> otherwise(StateRef next) {
        otherwise = leadsTo(next);
        states.joins(next, type);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var specs = new ArrayList<TaskSpec>();
        for (var each : params.of(step)) {
            specs.add(task.of(each));
        }
        var all =
                Action.dispatchParallel(specs, States.named(join))
                        .withWindow(window)
                        .withPolicy(policy);
        return compensation.of(otherwise == null ? all : all.otherwise(otherwise.name()), step);
    }

    @Override
    List<String> problems() {
        return join == null
                ? List.of("calls tasks '" + type + "' and leads nowhere; add then(state)")
                : List.of();
    }

    @Override
    CallTasks<I, P, R> self() {
        return this;
    }
}
