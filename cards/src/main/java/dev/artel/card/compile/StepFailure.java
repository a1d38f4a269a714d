package dev.artel.card.compile;

import dev.artel.card.read.CardVariables;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.ChildResult;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.TaskResult;
import java.util.Optional;

/// Why a step has failed.
///
/// @param code for programs
/// @param message for people
record StepFailure(String step, String code, String message) {
    /// A reference to something that is not there, or another value that does not fit.
    static final String INVALID_ARGUMENT = "INVALID_ARGUMENT";

    /// What was made is not good enough.
    static final String FAILED_PRECONDITION = "FAILED_PRECONDITION";

    /// What a subprocess takes is not there.
    static final String RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED";

    /// In the data of the job: as the last failure of all, and as that of step `id`, since another branch may fail before a person has decided.
    JsonObject inData(String id) {
        var failure =
                JsonObject.builder()
                        .put("step", step)
                        .put("code", code)
                        .put("message", message)
                        .build();
        return JsonObject.of(CardVariables.FAILURE, failure, id + ".failure", failure);
    }

    /// Why step `id` has failed, in the state that follows.
    static StepFailure of(Step step, String id) {
        return switch (step.past().cause()) {
            case StepCause.TaskEnded _, StepCause.TasksJoined _ ->
                    step.results().stream()
                            .flatMap(result -> error(result, id).stream())
                            .findFirst()
                            .orElseGet(() -> unknown(id));
            case StepCause.ChildrenJoined(int _, int count) when count == 0 ->
                    new StepFailure(
                            id,
                            RESOURCE_EXHAUSTED,
                            "its subprocess cannot begin: it would be too deep, or the process has too few steps or too"
                                    + " little of its budget left");
            case StepCause.ChildrenJoined _ ->
                    step.children().stream()
                            .filter(child -> !child.hasFinished())
                            .findFirst()
                            .map(child -> error(child, id))
                            .orElseGet(() -> unknown(id));
            case StepCause.Overdue(var awaited) ->
                    new StepFailure(id, "DEADLINE_EXCEEDED", awaited + " did not come in time");
            case StepCause.Decided(var choice, var by) when choice.equals(StepStates.REJECT) ->
                    new StepFailure(id, "ABORTED", by + " rejected it");
            case StepCause.BranchesJoined _ -> kept(step, CardVariables.FAILURE, id);
            default -> kept(step, id + ".failure", id);
        };
    }

    private static Optional<StepFailure> error(TaskResult result, String id) {
        return switch (result) {
            case TaskResult.Failed(int _, var error) ->
                    Optional.of(new StepFailure(id, error.code(), error.message()));
            case TaskResult.Cancelled _ ->
                    Optional.of(new StepFailure(id, "CANCELLED", "its task was cancelled"));
            case TaskResult.Succeeded _ -> Optional.empty();
        };
    }

    private static StepFailure error(ChildResult child, String id) {
        return new StepFailure(
                id,
                "ABORTED",
                "process "
                        + child.job()
                        + " is "
                        + child.outcome()
                        + child.error().map(why -> ": " + why).orElse(""));
    }

    /// What an earlier state has found, under `name`.
    private static StepFailure kept(Step step, String name, String id) {
        return step.data()
                .object(name)
                .map(failure ->
                        new StepFailure(
                                failure.string("step").orElse(id),
                                failure.string("code").orElse("UNKNOWN"),
                                failure.string("message").orElse("the reason is not known")))
                .orElseGet(() -> unknown(id));
    }

    /// What is among the data may be the failure of another step, after which the process went on.
    private static StepFailure unknown(String id) {
        return new StepFailure(id, "UNKNOWN", "the reason is not known");
    }

    /// For people.
    @Override
    public String toString() {
        return "step '" + step + "' failed: " + message + " (" + code + ")";
    }
}
