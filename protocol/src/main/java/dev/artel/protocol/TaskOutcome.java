package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;

/// How a worker's attempt at a task ended.
public sealed interface TaskOutcome {
    /// Another attempt may succeed. Also what an unknown or missing code means.
    String TRANSIENT_ERROR = "TRANSIENT_ERROR";

    /// No attempt will succeed.
    String PERMANENT_ERROR = "PERMANENT_ERROR";

    /// The parameters are wrong.
    String INVALID_INPUT_ERROR = "INVALID_INPUT_ERROR";

    /// The worker reported something that cannot be read.
    String INVALID_RESULT = "INVALID_RESULT";

    /// The worker reported more than is taken in one message.
    String RESULT_TOO_LARGE = "RESULT_TOO_LARGE";

    /// The handler came to an end.
    ///
    /// @param status `success` or a word that the blueprint has a transition for
    /// @param data what the handler gave; an empty object if it gave nothing
    record Succeeded(String status, JsonValue data) implements TaskOutcome {}

    /// The handler came to an end, and what it gave was put beforehand.
    ///
    /// @param status as in [Succeeded]
    record Stored(String status, ValueRef data) implements TaskOutcome {}

    /// The attempt failed.
    ///
    /// @param code one of the constants above or a word of a later generation
    record Failed(String code, String message) implements TaskOutcome {}

    /// The worker stopped the attempt, on request or on its own account.
    record CancelledByWorker() implements TaskOutcome {}

    /// Success with the default status.
    static Succeeded success(JsonValue data) {
        return new Succeeded("success", data);
    }

    /// Reads what an envelope has as its result: an object by its members, anything else as what the handler gave. What
    /// cannot be read ends the attempt, too: to send it again would not help.
    static TaskOutcome read(Fields envelope, String name) {
        try {
            return switch (envelope.find(name)) {
                case null -> read(envelope);
                case JsonObject object -> read(Fields.of(object, envelope.at(name)));
                case JsonValue data -> success(data);
            };
        } catch (MalformedMessage malformed) {
            return invalid(String.valueOf(malformed.getMessage()));
        }
    }

    /// The end of an attempt whose result cannot be read.
    ///
    /// @param why what is wrong with it
    static Failed invalid(String why) {
        return new Failed(
                INVALID_RESULT,
                "the worker's result cannot be read: "
                        + why
                        + "; a result is an object with status and data, or the data alone");
    }

    /// The end of an attempt whose result is too large for one message.
    ///
    /// @param most how many bytes a message may have
    static Failed tooLarge(long most) {
        return new Failed(
                RESULT_TOO_LARGE,
                "the worker's result has more than "
                        + most
                        + " bytes; put large data as a value of its own and report its address, or let the handler give"
                        + " less");
    }

    /// Reads a result object: `status` decides, and none means success.
    static TaskOutcome read(Fields result) {
        return switch (result.string("status", "success")) {
            case "failure" -> failure(result);
            case "cancelled" -> new CancelledByWorker();
            case String word -> {
                var large = result.findObject("large_data");
                if (large != null) {
                    yield new Stored(word, ValueRef.read(large));
                }
                var data = result.find("data");
                yield new Succeeded(word, data == null ? JsonObject.EMPTY : data);
            }
        };
    }

    private static Failed failure(Fields result) {
        return switch (result.find("error")) {
            case JsonObject error -> {
                var fields = Fields.of(error, result.at("error"));
                yield new Failed(
                        fields.string("code", TRANSIENT_ERROR),
                        fields.string("message", "the worker gave no message"));
            }
            case JsonString(var text) -> new Failed(TRANSIENT_ERROR, text);
            case null ->
                    new Failed(
                            TRANSIENT_ERROR,
                            result.string("error_message", "the worker gave no message"));
            case JsonValue other ->
                    throw MalformedMessage.wrongKind(
                            result.at("error"), "an object or a string", other);
        };
    }

    /// The result object.
    default JsonObject toJson() {
        return switch (this) {
            case Succeeded(var status, var data) ->
                    JsonObject.of("status", new JsonString(status), "data", data);
            case Stored(var status, var data) ->
                    JsonObject.of("status", new JsonString(status), "large_data", data.toJson());
            case Failed(var code, var message) ->
                    JsonObject.of(
                            "status",
                            new JsonString("failure"),
                            "error",
                            JsonObject.of(
                                    "code", new JsonString(code),
                                    "message", new JsonString(message)));
            case CancelledByWorker() -> JsonObject.of("status", new JsonString("cancelled"));
        };
    }
}
