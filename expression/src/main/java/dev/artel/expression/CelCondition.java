package dev.artel.expression;

import dev.artel.kernel.blueprint.Condition;
import dev.artel.kernel.blueprint.ConditionFailed;
import dev.artel.kernel.blueprint.Step;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import org.jspecify.annotations.Nullable;

/// A condition that was compiled.
///
/// @param text as it was written
record CelCondition(String text, CelRuntime.Program program) implements Condition {
    @Override
    public boolean holds(Step step) {
        try {
            if (program.eval(Facts.of(step)) instanceof Boolean holds) {
                return holds;
            }
        } catch (CelEvaluationException failure) {
            throw failed(step, String.valueOf(failure.getMessage()), failure);
        }
        throw failed(step, "it gives neither true nor false", null);
    }

    private ConditionFailed failed(Step step, String found, @Nullable Exception cause) {
        return new ConditionFailed(
                "state '"
                        + step.state()
                        + "': the condition \""
                        + text
                        + "\" cannot be decided: "
                        + found.strip()
                        + "; ask for what may be missing with has(...)",
                cause);
    }
}
