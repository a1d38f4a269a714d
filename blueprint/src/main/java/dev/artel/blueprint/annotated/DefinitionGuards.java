package dev.artel.blueprint.annotated;

import dev.artel.blueprint.GuardLimits;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.RetryPolicy;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.function.UnaryOperator;

/// Reads what a [dev.artel.blueprint.BlueprintDefinition] sets for how long its jobs may go on; each thing that makes no sense is a problem of its own.
final class DefinitionGuards {
    private final List<String> problems;
    private Guards guards = Guards.DEFAULTS;

    private DefinitionGuards(List<String> problems) {
        this.problems = problems;
    }

    static Guards of(GuardLimits limits, List<String> problems) {
        var reading = new DefinitionGuards(problems);
        reading.with(it -> it.withTransitions(limits.transitions()));
        reading.with(
                it -> it.withHandlerRetry(RetryPolicy.DEFAULTS.withMaxAttempts(limits.attempts())));
        reading.with(it -> it.withHandlerTime(time("handlerTime", limits.handlerTime())));
        reading.with(it -> it.withHistory(limits.history()));
        reading.with(it -> it.withTreeSteps(limits.treeSteps()));
        reading.with(it -> it.withTreeDepth(limits.treeDepth()));
        reading.with(it ->
                it.withCompensationTimeout(
                        time("compensationTimeout", limits.compensationTimeout())));
        return reading.guards;
    }

    private void with(UnaryOperator<Guards> change) {
        try {
            guards = change.apply(guards);
        } catch (IllegalArgumentException wrong) {
            problems.add("guards: " + wrong.getMessage());
        }
    }

    private static Duration time(String name, String text) {
        try {
            return Duration.parse(text);
        } catch (DateTimeParseException noTime) {
            throw new IllegalArgumentException(
                    name + " must be a duration such as PT30S, was '" + text + "'", noTime);
        }
    }
}
