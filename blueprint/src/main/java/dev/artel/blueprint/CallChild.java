package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Action.RunBlueprint;
import dev.artel.kernel.job.Outcomes;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A state that runs a job of another blueprint and waits for its end.
public final class CallChild<I, C, O> extends StateDraft<I, CallChild<I, C, O>>
        implements ChildOptions<CallChild<I, C, O>> {
    private final BlueprintType<C, O> type;
    private final StepFunction<I, C> input;
    private final CompensationDraft<I> compensation = new CompensationDraft<>();
    private UnaryOperator<RunBlueprint> options = UnaryOperator.identity();
    private Outcomes outcomes = Outcomes.NONE;
    private String name;

    CallChild(
            States<I, ?> states,
            StateRef state,
            BlueprintType<C, O> type,
            StepFunction<I, C> input) {
        super(states, state);
        this.type = type;
        this.input = input;
        this.name = type.name();
    }

    /// Keeps its result as `name` instead of under the name of its blueprint.
    public CallChild<I, C, O> as(String resultName) {
        name = resultName;
        return this;
    }

    @Override
    public CallChild<I, C, O> with(JobSetting setting) {
        var before = options;
        options = run -> setting.of(before.apply(run));
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `type` compensates what it did. Its parameters are computed
    /// together with this state's, before there is a result.
    public <P> CallChild<I, C, O> compensatedBy(TaskType<P, ?> type, StepFunction<I, P> params) {
        compensation.by(type, params);
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `by` compensates what it did, and gets its result. Two states do it,
    /// `STATE_compensation` and `STATE_compensated`.
    public CallChild<I, C, O> compensatedBy(TaskType<? super O, ?> by) {
        return compensatedByResult(by, value -> value);
    }

    /// As [#compensatedBy(TaskType)], with what `params` makes of the result.
    public <P> CallChild<I, C, O> compensatedByResult(
            TaskType<P, ?> by, Function<? super O, ? extends P> params) {
        return compensatedBy(
                states.compensation(state, new ResultCompensation<>(type.output(), by, params)));
    }

    /// If the job fails or is cancelled after it, `by` compensates what it did. That state sees the job's data as they are then, and
    /// it, or one to which it leads, ends its branch.
    public CallChild<I, C, O> compensatedBy(StateRef by) {
        compensation.by(leadsTo(by));
        return this;
    }

    /// Goes to `next` when it has finished.
    public CallChild<I, C, O> then(StateRef next) {
        return on(Outcomes.FINISHED, next);
    }

    /// Goes to `next` when it cannot begin, fails or is cancelled; the job fails by default.
    public CallChild<I, C, O> otherwise(StateRef next) {
        return on(Outcomes.FAILED, next);
    }

    /// Goes to `next` when somebody has cancelled it; as [#otherwise] by default.
    public CallChild<I, C, O> onCancelled(StateRef next) {
        return on(Outcomes.CANCELLED, next);
    }

    private CallChild<I, C, O> on(String outcome, StateRef next) {
        outcomes = outcomes.and(outcome, leadsTo(next).name());
        return this;
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var data = (JsonObject) type.input().write(input.of(step));
        var run = Action.runBlueprint(type.name(), data, outcomes).as(name);
        return compensation.of(options.apply(run), step);
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (outcomes.after(Outcomes.FINISHED).isEmpty()) {
            problems.add("runs blueprint '" + type + "' and leads nowhere; add then(state)");
        }
        states.keep(name, "the end of child '" + type + "'", type, problems);
        return problems;
    }

    @Override
    CallChild<I, C, O> self() {
        return this;
    }
}
