package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.job.Outcomes;
import java.util.List;
import java.util.function.Function;

/// A state that has one task done, whose outcome chooses the next state.
public final class CallTask<I, P, R> extends StateDraft<I, CallTask<I, P, R>>
        implements TaskOptions<CallTask<I, P, R>> {
    private static final String SUCCESS = "success";

    private final TaskType<P, R> type;
    private final StepFunction<I, P> params;
    private final TaskDraft<P> task;
    private final CompensationDraft<I> compensation = new CompensationDraft<>();
    private Outcomes outcomes = Outcomes.NONE;
    private String name;

    CallTask(States<I, ?> states, StateRef state, TaskType<P, R> type, StepFunction<I, P> params) {
        super(states, state);
        this.type = type;
        this.params = params;
        this.task = new TaskDraft<>(type);
        this.name = type.name();
    }

    /// Keeps the result as `name` instead of under the name of its type, for a type that is called more than once.
    public CallTask<I, P, R> as(String resultName) {
        name = resultName;
        return this;
    }

    @Override
    public CallTask<I, P, R> with(TaskSetting setting) {
        task.with(setting);
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `type` compensates what it did. Its parameters are computed
    /// together with this state's, before there is a result.
    public <C> CallTask<I, P, R> compensatedBy(TaskType<C, ?> type, StepFunction<I, C> params) {
        compensation.by(type, params);
        return this;
    }

    /// If the job fails or is cancelled after it, a task of type `by` compensates what it did, and gets its result. Two states do it,
    /// `STATE_compensation` and `STATE_compensated`.
    public CallTask<I, P, R> compensatedBy(TaskType<? super R, ?> by) {
        return compensatedByResult(by, value -> value);
    }

    /// As [#compensatedBy(TaskType)], with what `params` makes of the result.
    public <C> CallTask<I, P, R> compensatedByResult(
            TaskType<C, ?> by, Function<? super R, ? extends C> params) {
        return compensatedBy(
                states.compensation(state, new ResultCompensation<>(type.result(), by, params)));
    }

    /// If the job fails or is cancelled after it, `by` compensates what it did. That state sees the job's data as they are then, and
    /// it, or one to which it leads, ends its branch.
    public CallTask<I, P, R> compensatedBy(StateRef by) {
        compensation.by(leadsTo(by));
        return this;
    }

    /// Goes to `next` when it has succeeded.
    public CallTask<I, P, R> then(StateRef next) {
        return on(SUCCESS, next);
    }

    /// Goes to `next` when the worker has reported `outcome`, a word of its own.
    public CallTask<I, P, R> on(String outcome, StateRef next) {
        if (outcomes.after(outcome).isPresent()) {
            states.refuse("state '" + state + "' names the outcome '" + outcome + "' twice");
        }
        outcomes = outcomes.and(outcome, leadsTo(next).name());
        return this;
    }

    /// Goes to `next` when it has failed for good; the job is quarantined or fails by default.
    public CallTask<I, P, R> onFailure(StateRef next) {
        return on(Outcomes.FAILED, next);
    }

    /// Goes to `next` when its time was over; as [#onFailure] by default.
    public CallTask<I, P, R> onTimeout(StateRef next) {
        return on(Outcomes.TIMEOUT, next);
    }

    /// Goes to `next` when its outcome is unknown; a person decides by default. For tasks that are
    /// [#notIdempotent].
    public CallTask<I, P, R> onUnknown(StateRef next) {
        return on(Outcomes.UNKNOWN, next);
    }

    /// Goes to `next` when the job is being cancelled, in place of ending.
    public CallTask<I, P, R> onCancelled(StateRef next) {
        return on(Outcomes.CANCELLED, next);
    }

    @Override
    Action action(Step<I> step) throws Exception {
        var spec = task.of(params.of(step)).withResultAs(name);
        return compensation.of(Action.dispatch(spec, outcomes), step);
    }

    @Override
    List<String> problems() {
        var problems = none();
        if (outcomes.states().isEmpty()) {
            problems.add("calls task '" + type + "' and leads nowhere; add then(state)");
        }
        states.keep(name, "the result of task '" + type + "'", type.result(), problems);
        return problems;
    }

    @Override
    CallTask<I, P, R> self() {
        return this;
    }
}
