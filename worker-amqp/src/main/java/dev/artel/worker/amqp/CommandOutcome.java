package dev.artel.worker.amqp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import java.time.Duration;
import java.util.Collection;

/// How a command ended, as it is answered.
///
/// @param type [AgentMessage#RESULT] or [AgentMessage#ERROR]
record CommandOutcome(String type, JsonObject data) {
    private static final String SUCCESS = "success";

    /// The outcome that a handler reports, with what it has cost.
    static CommandOutcome of(TaskResult result, Duration took) {
        var outcome = outcome(result, took);
        var metrics = result.metrics();
        return metrics == null
                ? outcome
                : new CommandOutcome(outcome.type(), outcome.data().with("metrics", metrics));
    }

    private static CommandOutcome outcome(TaskResult result, Duration took) {
        return switch (result.outcome()) {
            case TaskOutcome.Succeeded(var status, var data) when status.equals(SUCCESS) ->
                    success(data, took);
            case TaskOutcome.Succeeded(var status, _) ->
                    error(
                            "UNIMPLEMENTED",
                            "the status '"
                                    + status
                                    + "' of a result cannot be carried over RabbitMQ; return it as a member of the result",
                            false,
                            JsonObject.EMPTY,
                            took);
            case TaskOutcome.Stored _ ->
                    error(
                            "UNIMPLEMENTED",
                            "large results are not stored beside RabbitMQ",
                            false,
                            JsonObject.EMPTY,
                            took);
            case TaskOutcome.Failed(var code, var message) ->
                    error(
                            code(code),
                            message.isBlank() ? code : message,
                            code.equals(TaskOutcome.TRANSIENT_ERROR),
                            JsonObject.of("worker_code", new JsonString(code)),
                            took);
            case TaskOutcome.CancelledByWorker _ ->
                    error("CANCELLED", "the task was stopped", false, JsonObject.EMPTY, took);
        };
    }

    private static CommandOutcome success(JsonValue data, Duration took) {
        var output = data instanceof JsonObject object ? object : JsonObject.of("value", data);
        return new CommandOutcome(
                AgentMessage.RESULT,
                JsonObject.builder()
                        .put("status", "SUCCESS")
                        .put("output", output)
                        .put("execution_time_ms", took.toMillis())
                        .build());
    }

    private static String code(String code) {
        return switch (code) {
            case TaskOutcome.INVALID_INPUT_ERROR -> "INVALID_ARGUMENT";
            case TaskOutcome.PERMANENT_ERROR -> "FAILED_PRECONDITION";
            default -> "INTERNAL";
        };
    }

    /// The command cannot be read.
    static CommandOutcome malformed(String problem) {
        return error("INVALID_ARGUMENT", problem, false, JsonObject.EMPTY, Duration.ZERO);
    }

    /// The agent does not do such commands.
    static CommandOutcome unknownAction(String action, Collection<String> known) {
        var details =
                JsonObject.builder()
                        .put("requested_action", action)
                        .put("available_capabilities", JsonArray.ofStrings(known))
                        .build();
        return error(
                "UNIMPLEMENTED",
                "this agent does no '" + action + "', only " + known,
                false,
                details,
                Duration.ZERO);
    }

    /// The agent has not begun it, and does not want to.
    static CommandOutcome notStarted(String reason) {
        return error(
                "UNAVAILABLE",
                reason,
                true,
                JsonObject.of("not_started", JsonValue.of(true)),
                Duration.ZERO);
    }

    /// It was stopped before it came.
    static CommandOutcome stopped() {
        return error(
                "CANCELLED",
                "the command was stopped before it began",
                false,
                JsonObject.EMPTY,
                Duration.ZERO);
    }

    private static CommandOutcome error(
            String code, String message, boolean isRetryable, JsonObject details, Duration took) {
        var error =
                JsonObject.builder()
                        .put("code", code)
                        .put("message", message)
                        .put("retryable", isRetryable);
        if (!details.isEmpty()) {
            error.put("details", details);
        }
        return new CommandOutcome(
                AgentMessage.ERROR,
                JsonObject.builder()
                        .put("error", error.build())
                        .put("execution_time_ms", took.toMillis())
                        .build());
    }
}
