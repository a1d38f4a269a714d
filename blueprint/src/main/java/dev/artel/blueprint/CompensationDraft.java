package dev.artel.blueprint;

import dev.artel.blueprint.function.CompensatedWork;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.compensation.Compensation;
import org.jspecify.annotations.Nullable;

/// How what a state does is compensated, if it is.
final class CompensationDraft<I> {
    private @Nullable Way<I> way;

    /// Adds to an action how it is compensated.
    private interface Way<I> {
        Action of(Action action, Step<I> step) throws Exception;
    }

    <P> void by(TaskType<P, ?> type, StepFunction<I, P> params) {
        way =
                (action, step) ->
                        new Action.Compensable(
                                action,
                                new Compensation.ByTask(TaskDraft.spec(type, params.of(step))));
    }

    void by(StateRef state) {
        way = (action, _) -> CompensatedWork.compensated(action, state.name());
    }

    Action of(Action action, Step<I> step) throws Exception {
        return way == null ? action : way.of(action, step);
    }
}
