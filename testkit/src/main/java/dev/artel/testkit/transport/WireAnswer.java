package dev.artel.testkit.transport;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.TaskAssignment;
import java.util.List;

/// What a worker is answered, whatever the wire.
///
/// @param body null where the answer has none
public record WireAnswer(Kind kind, JsonValue body) {
    /// How a wire answers.
    public enum Kind {
        /// The message was taken.
        TAKEN,
        /// There is nothing for the worker.
        NOTHING,
        /// The worker must register first.
        UNKNOWN_WORKER,
        /// The sender is not the worker that it claims to be.
        FORBIDDEN,
        /// The message cannot be understood.
        REFUSED,
        /// The message is too large.
        TOO_LARGE,
        /// The same may be sent again later.
        LATER
    }

    /// An answer that has no more than its kind.
    public static WireAnswer of(Kind kind) {
        return new WireAnswer(kind, JsonNull.NULL);
    }

    /// The tasks in an answer to a poll.
    public List<TaskAssignment> tasks() {
        return kind == Kind.NOTHING ? List.of() : TaskAssignment.readAll(body);
    }

    /// The only task in an answer to a poll.
    public TaskAssignment task() {
        var tasks = tasks();
        if (tasks.size() != 1) {
            throw new AssertionError("expected one task, found " + tasks.size());
        }
        return tasks.getFirst();
    }

    /// A text member of the body; empty if there is none.
    public String text(String name) {
        return body instanceof JsonObject object ? object.string(name).orElse("") : "";
    }

    /// The texts in an array of the body; none if there is no such array.
    public List<String> texts(String name) {
        return body instanceof JsonObject object
                ? object.array(name).orElse(JsonArray.EMPTY).stream()
                        .filter(JsonString.class::isInstance)
                        .map(value -> ((JsonString) value).value())
                        .toList()
                : List.of();
    }
}
