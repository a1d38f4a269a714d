package dev.artel.kernel.blueprint;

import java.util.List;
import java.util.Optional;

/// The handlers of a state of which the first one runs whose condition holds, or else the one without a condition.
record ConditionalHandlers(String state, List<Case> cases, Optional<StepHandler> otherwise)
        implements StepHandler {
    /// @param text the condition as it was written
    record Case(String text, Condition condition, StepHandler handler) {}

    ConditionalHandlers {
        cases = List.copyOf(cases);
    }

    @Override
    public Action handle(Step step) throws Exception {
        for (var each : cases) {
            if (each.condition.holds(step)) {
                return each.handler.handle(step);
            }
        }
        return otherwise.orElseThrow(this::nothingHolds).handle(step);
    }

    private ConditionFailed nothingHolds() {
        return new ConditionFailed(
                "state '"
                        + state
                        + "': none of its conditions holds ("
                        + String.join("; ", cases.stream().map(Case::text).toList())
                        + "), and it has no handler without one; add one with otherwise",
                null);
    }
}
