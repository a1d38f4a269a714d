package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.task.ParameterMeter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A state that runs many jobs of another blueprint. The state that joins them has their results:
/// [Step#results(BlueprintType)].
public final class CallChildren<I, C, O> extends StateDraft<I, CallChildren<I, C, O>>
        implements ChildOptions<CallChildren<I, C, O>> {
    private final BlueprintType<C, O> type;
    private final StepFunction<I, List<C>> inputs;
    private final CompensationDraft<I> compensation = new CompensationDraft<>();
    private UnaryOperator<RunBlueprint> options = UnaryOperator.identity();
    private int window = Action.RunBlueprints.DEFAULT_WINDOW;
    private JoinPolicy policy = JoinPolicy.ALL;
    private @Nullable StateRef join;
    private @Nullable StateRef otherwise;

    CallChildren(
            States<I, ?> states,
            StateRef state,
            BlueprintType<C, O> type,
            StepFunction<I, List<C>> inputs) {
        super(states, state);
        this.type = type;
        this.inputs = inputs;
    }

    @Override
    public CallChildren<I, C, O> with(JobSetting setting) {
        var before = options;
        options = run -> setting.of(before.apply(run));
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `type` compensates what it did. Its parameters are computed
    /// together with this state's, before there is a result.
    public <P> CallChildren<I, C, O> compensatedBy(TaskType<P, ?> type, StepFunction<I, P> params) {
        compensation.by(type, params);
        return this;
    }

    /// If the job fails or is cancelled after it, tasks of type `by` compensate what it did: one for each that finished, which gets the
    /// result of that one. Two states do it, `STATE_compensation` and `STATE_compensated`.
    public CallChildren<I, C, O> compensatedBy(TaskType<? super O, ?> by) {
        return compensatedByResult(by, value -> value);
    }

    /// As [#compensatedBy(TaskType)], with what `params` makes of each result.
    public <P> CallChildren<I, C, O> compensatedByResult(
            TaskType<P, ?> by, Function<? super O, ? extends P> params) {
        return compensatedBy(
                states.compensation(state, new ResultCompensation<>(type.output(), by, params)));
    }

    /// If the job fails or is cancelled after it, `by` compensates what it did. That state sees the job's data as they are then and how
    /// the children have ended, and it, or one to which it leads, ends its branch.
    public CallChildren<I, C, O> compensatedBy(StateRef by) {
        compensation.by(leadsTo(by));
        states.joins(by, type);
        return this;
    }

    /// Has at most so many open at once.
    ///
    /// @param most at least 1
    public CallChildren<I, C, O> window(int most) {
        window = most;
        return this;
    }

    /// Joined as soon as so many have succeeded; the rest is withdrawn.
    public CallChildren<I, C, O> atLeast(int required) {
        policy = JoinPolicy.atLeast(required);
        return this;
    }

    /// Not to be joined from the first failure on; the rest is withdrawn.
    public CallChildren<I, C, O> failFast() {
        policy = JoinPolicy.FAIL_FAST;
        return this;
    }

    /// Joined when all have ended, however.
    public CallChildren<I, C, O> settled() {
        policy = JoinPolicy.SETTLED;
        return this;
    }

    /// Goes to `next` when they are joined.
    public CallChildren<I, C, O> then(StateRef next) {
        join = leadsTo(next);
        states.joins(next, type);
        return this;
    }

    /// Goes to `next` when they cannot be joined; the job fails by default.
    public CallChildren<I, C, O> otherwise(StateRef next) {
        otherwise = leadsTo(next);
        states.joins(next, type);
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var data = new ArrayList<JsonObject>();
        for (var each : inputs.of(step)) {
            var input = (JsonObject) type.input().write(each);
            ParameterMeter.count(input);
            data.add(input);
        }
        var all =
                Action.runBlueprints(type.name(), data, States.named(join))
                        .withWindow(window)
                        .withPolicy(policy)
                        .each(options);
        return compensation.of(otherwise == null ? all : all.otherwise(otherwise.name()), step);
    }

    @Override
    List<String> problems() {
        return join == null
                ? List.of("runs blueprints '" + type + "' and leads nowhere; add then(state)")
                : List.of();
    }

    @Override
    CallChildren<I, C, O> self() {
        return this;
    }
}
