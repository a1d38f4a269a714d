package dev.artel.gateway.mindbus;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.protocol.TaskOutcome;
import java.util.Map;

/// What an `ERROR` means for the attempt.
final class ErrorCodes {
    /// Whether another attempt may help, where the agent does not declare it. What is not here is worth one.
    private static final Map<String, Boolean> RETRYABLE =
            Map.ofEntries(
                    Map.entry("CANCELLED", false),
                    Map.entry("UNKNOWN", true),
                    Map.entry("INVALID_ARGUMENT", false),
                    Map.entry("DEADLINE_EXCEEDED", true),
                    Map.entry("NOT_FOUND", false),
                    Map.entry("ALREADY_EXISTS", false),
                    Map.entry("PERMISSION_DENIED", false),
                    Map.entry("RESOURCE_EXHAUSTED", true),
                    Map.entry("FAILED_PRECONDITION", false),
                    Map.entry("ABORTED", true),
                    Map.entry("OUT_OF_RANGE", false),
                    Map.entry("UNIMPLEMENTED", false),
                    Map.entry("INTERNAL", true),
                    Map.entry("UNAVAILABLE", true),
                    Map.entry("DATA_LOSS", false),
                    Map.entry("UNAUTHENTICATED", false));

    private ErrorCodes() {}

    /// The outcome of an attempt that ended with an `ERROR`.
    ///
    /// @param data of the message
    /// @param isStopped whether the agent was asked to stop
    static TaskOutcome outcome(JsonObject data, boolean isStopped) {
        var error = data.object("error").orElse(null);
        if (error == null) {
            return TaskOutcome.invalid("an ERROR without an object 'error'");
        }
        var code = error.string("code").orElse("UNKNOWN");
        if (code.equals("CANCELLED") && isStopped) {
            return new TaskOutcome.CancelledByWorker();
        }
        var message = error.string("message").orElse("the agent gave no message");
        return new TaskOutcome.Failed(word(code, error), code + ": " + message);
    }

    /// Whether the agent has given the command back before it began.
    static boolean isNotStarted(JsonObject data) {
        return data.object("error")
                .flatMap(error -> error.object("details"))
                .flatMap(details -> details.get("not_started"))
                .filter(JsonBoolean.TRUE::equals)
                .isPresent();
    }

    private static String word(String code, JsonObject error) {
        if (code.equals("INVALID_ARGUMENT")) {
            return TaskOutcome.INVALID_INPUT_ERROR;
        }
        return isRetryable(code, error) ? TaskOutcome.TRANSIENT_ERROR : TaskOutcome.PERMANENT_ERROR;
    }

    /// Three codes are final whatever the agent declares.
    private static boolean isRetryable(String code, JsonObject error) {
        if (code.equals("NOT_FOUND") || code.equals("PERMISSION_DENIED")) {
            return false;
        }
        return error.get("retryable").orElse(JsonNull.NULL) instanceof JsonBoolean flag
                ? flag == JsonBoolean.TRUE
                : RETRYABLE.getOrDefault(code, true);
    }
}
