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

    /// In the data of the job.
    JsonObject inData() {
        return JsonObject.builder()
                .put(
                        CardVariables.FAILURE,
                        JsonObject.builder()
                                .put("step", step)
                                .put("code", code)
                                .put("message", message)
                                .build())
                .build();
    }

    /// Why step `id` has failed, in the state that follows.
    static StepFailure of(Step step, String id) {
        return switch (step.past().cause()) {
            case StepCause.TaskEnded _, StepCause.TasksJoined _ ->
                    step.results().stream()
                            .flatMap(result -> error(result, id).stream())
                            .findFirst()
                            .orElseGet(() -> kept(step, id));
            case StepCause.ChildrenJoined _ ->
                    step.children().stream()
                            .filter(child -> !child.hasFinished())
                            .findFirst()
                            .map(child -> error(child, id))
                            .orElseGet(() -> kept(step, id));
            case StepCause.Overdue(var awaited) ->
                    new StepFailure(id, "DEADLINE_EXCEEDED", awaited + " did not come in time");
            case StepCause.Decided(var choice, var by) when choice.equals(StepStates.REJECT) ->
                    new StepFailure(id, "ABORTED", by + " rejected it");
            default -> kept(step, id);
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

    /// What an earlier state has found.
    private static StepFailure kept(Step step, String id) {
        return step.data()
                .object(CardVariables.FAILURE)
                .map(failure ->
                        new StepFailure(
                                failure.string("step").orElse(id),
                                failure.string("code").orElse("UNKNOWN"),
                                failure.string("message").orElse("the reason is not known")))
                .orElseGet(() -> new StepFailure(id, "UNKNOWN", "the reason is not known"));
    }

    /// For people.
    @Override
    public String toString() {
        return "step '" + step + "' failed: " + message + " (" + code + ")";
    }
}
