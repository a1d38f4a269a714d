package dev.artel.worker;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.bind.Writing;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// What a handler gives when it came to an end. Failures are thrown.
///
/// @param status `success` or a word for which the blueprint has a transition
/// @param data goes into the job's history
/// @param file the data as JSON text in a file, in place of `data`; null for none
public record Result(String status, JsonValue data, @Nullable Path file) {
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

    /// An end with `data`.
    public Result(String status, JsonValue data) {
        this(status, data, null);
    }

    /// Success with the JSON text in `file`, which may be larger than memory; it is read when the handler has returned, and
    /// removed then. To an orchestrator that takes results in messages alone it goes as one.
    public static Result ofFile(Path file) {
        return new Result(SUCCESS, JsonObject.EMPTY, file);
    }

    /// Success, without data.
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
