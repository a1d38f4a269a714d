package dev.artel.blueprint;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.compensation.Compensation;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How what a state does is compensated, if it is.
final class CompensationDraft<I> {
    private @Nullable StepFunction<I, Compensation> by;

    <P> void by(TaskType<P, ?> type, StepFunction<I, P> params) {
        by = step -> new Compensation.ByTask(TaskDraft.spec(type, params.of(step)));
    }

    void by(StateRef state) {
        by = _ -> new Compensation.ByState(state.name(), Optional.empty());
    }

    Action of(Action action, Step<I> step) throws Exception {
        return by == null ? action : new Action.Compensable(action, by.of(step));
    }
}
