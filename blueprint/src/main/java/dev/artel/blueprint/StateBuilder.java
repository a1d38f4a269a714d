package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// A state whose behaviour is still to be set: exactly one of these.
///
/// @param <I> what the job was submitted with
/// @param <O> what a finished job has as its result
public final class StateBuilder<I, O> {
    private final States<I, O> states;
    private final StateRef state;

    StateBuilder(States<I, O> states, StateRef state) {
        this.states = states;
        this.state = state;
    }

    /// Has a task of type `type` done. Its result is kept under the name of its type: [Step#result(TaskType)].
    public <P, R> CallTask<I, P, R> call(TaskType<P, R> type, StepFunction<I, P> params) {
        return states.define(new CallTask<>(states, state, type, params));
    }

    /// Has a task of type `type` done for each of a list of at most 100,000.
    public <P, R> CallTasks<I, P, R> callAll(TaskType<P, R> type, StepFunction<I, List<P>> params) {
        return states.define(new CallTasks<>(states, state, type, params));
    }

    /// Runs a job of another blueprint, which is waited for.
    public <C, R> CallChild<I, C, R> child(BlueprintType<C, R> type, StepFunction<I, C> input) {
        return states.define(new CallChild<>(states, state, type, input));
    }

    /// Runs a job of another blueprint for each of a list of at most 10,000.
    public <C, R> CallChildren<I, C, R> childForEach(
            BlueprintType<C, R> type, StepFunction<I, List<C>> inputs) {
        return states.define(new CallChildren<>(states, state, type, inputs));
    }

    /// Starts a job of another blueprint that lives by itself, and goes on when it has begun.
    public <C> StartJob<I, C> startJob(BlueprintType<C, ?> type, StepFunction<I, C> input) {
        return states.define(new StartJob<>(states, state, type, input));
    }

    /// Asks a person to approve or to reject.
    public AskPerson<I, Verdict> approval(StepFunction<I, String> message) {
        return approval(Approval.YES_OR_NO, message);
    }

    /// Asks a person to pick one of the choices of `approval`.
    public <C> AskPerson<I, C> approval(Approval<C> approval, StepFunction<I, String> message) {
        return states.define(new AskPerson<>(states, state, approval, message));
    }

    /// Waits for a signal.
    public <T> AwaitSignal<I, T> await(Signal<T> signal) {
        return states.define(new AwaitSignal<>(states, state, signal));
    }

    /// Waits until so much time has passed.
    public Move<I> sleep(Duration time) {
        return states.define(new Move<>(states, state, (next, _) -> Action.waitFor(time, next)));
    }

    /// Waits until an instant, which may be decades away; goes on at once if it has passed.
    public Move<I> sleepUntil(StepFunction<I, Instant> instant) {
        return states.define(
                new Move<>(
                        states, state, (next, step) -> Action.waitUntil(instant.of(step), next)));
    }

    /// Starts a branch in each of `starts`.
    public ForkBranches<I> fork(StateRef... starts) {
        return states.define(new ForkBranches<>(states, state, List.of(starts)));
    }

    /// Goes to `next` where `condition` holds; more conditions and `otherwise` follow.
    public ChooseState<I> when(StepFunction<I, Boolean> condition, StateRef next) {
        return states.define(new ChooseState<>(states, state)).when(condition, next);
    }

    /// Sets `variable` in the job's data.
    public <T> Move<I> set(Variable<T> variable, StepFunction<I, T> value) {
        return states.define(new Move<>(states, state, (next, _) -> Action.transitionTo(next)))
                .set(variable, value);
    }

    /// Goes to the state that `choice` gives, which must be one of `among`.
    public CustomState<I> handle(StepFunction<I, StateRef> choice, StateRef... among) {
        return states.define(
                leading(
                        new CustomState<>(
                                states, state, step -> Action.transitionTo(choice.of(step).name())),
                        among));
    }

    /// Begins a new run of the job in `first`, with the variables that are set and nothing else of what it has gathered.
    public BeginNewRun<I> continueAsNew(StateRef first) {
        return states.define(new BeginNewRun<>(states, state, first));
    }

    /// Ends the job, well, with a result.
    public CustomState<I> finish(StepFunction<I, O> result) {
        return end(step -> {
            var json = states.type().output().write(result.of(step));
            return Action.finish((JsonObject) json);
        });
    }

    /// Ends the job, badly.
    public CustomState<I> fail(String reason) {
        return end(_ -> Action.fail(reason));
    }

    /// Ends the job, badly.
    public CustomState<I> fail(StepFunction<I, String> reason) {
        return end(step -> Action.fail(reason.of(step)));
    }

    /// Ends the branch, well.
    public CustomState<I> endBranch() {
        return end(_ -> Action.endBranch());
    }

    /// Ends the branch, badly.
    public CustomState<I> failBranch(String reason) {
        return end(_ -> Action.failBranch(reason));
    }

    private CustomState<I> end(StepFunction<I, Action> action) {
        return states.define(new CustomState<>(states, state, action));
    }

    private static <I> CustomState<I> leading(CustomState<I> draft, StateRef... among) {
        for (var next : among) {
            draft.leadsTo(next);
        }
        return draft;
    }
}
