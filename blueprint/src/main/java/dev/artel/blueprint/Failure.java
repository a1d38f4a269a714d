package dev.artel.blueprint;

import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.TaskResult;
import java.util.List;
import java.util.Locale;

/// Why a task or a child did not bring what its job waited for, in all styles: [Step#failures], a parameter `List<Failure> failures` of an
/// annotated class, [CallFailed#failure] of a function.
///
/// @param code for programs: the worker's, such as `PERMANENT_ERROR`, or the orchestrator's, such as `OUTCOME_UNKNOWN`; `FAILED`, `CANCELLED` or
///     `QUARANTINED` of a child
/// @param message for people
public record Failure(String code, String message) {
    /// Why those failed for which `step` waited, in their order.
    static List<Failure> of(dev.artel.kernel.blueprint.Step step) {
        if (!step.children().isEmpty()) {
            return step.children().stream()
                    .filter(child -> !child.hasFinished())
                    .map(Failure::of)
                    .toList();
        }
        if (step.past().cause() instanceof StepCause.ChildEnded(int number, var _)) {
            var child = step.past().child(number);
            return child.hasFinished() ? List.of() : List.of(of(child));
        }
        return step.results().stream()
                .filter(TaskResult.Failed.class::isInstance)
                .map(failed -> ((TaskResult.Failed) failed).error())
                .map(error -> new Failure(error.code(), error.message()))
                .toList();
    }

    private static Failure of(dev.artel.kernel.blueprint.ChildResult child) {
        return new Failure(
                child.outcome().toUpperCase(Locale.ROOT),
                "job " + child.job() + ": " + child.error().orElse("it did not finish"));
    }
}
