package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Writing;

/// What a handler gives when it came to an end. Failures are thrown.
///
/// @param status `success` or a word for which the blueprint has a transition
/// @param data goes into the job's history
public record Result(String status, JsonValue data) {
    private static final String SUCCESS = "success";

    /// Refuses the words for what is not an end of the handler's own.
    public Result {
        if (status.isBlank() || status.equals("failure") || status.equals("cancelled")) {
            throw new IllegalArgumentException(
                    "a result's status is success or a word of the blueprint, was '"
                            + status
                            + "'; a failure is thrown");
        }
    }

    /// Success, with nothing to say.
    public static Result success() {
        return success(JsonObject.EMPTY);
    }

    /// Success with `data`.
    public static Result success(JsonValue data) {
        return new Result(SUCCESS, data);
    }

    /// Success with the components of a record, in snake case.
    ///
    /// @throws IllegalArgumentException if a component cannot be written as JSON
    public static Result successOf(Record data) {
        return success(Writing.json(data));
    }

    /// An end under another word of the blueprint.
    public static Result of(String status, JsonValue data) {
        return new Result(status, data);
    }
}
