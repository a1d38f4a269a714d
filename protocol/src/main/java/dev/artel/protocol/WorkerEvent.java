package dev.artel.protocol;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Something that happened to a worker, in its own words, as workers with flat results tell it.
///
/// @param taskId the id of the hand-out that it is about; null if it is about none
/// @param type in the worker's words
/// @param payload what else it says; null if nothing
public record WorkerEvent(@Nullable String taskId, String type, @Nullable JsonValue payload) {
    /// Reads `{"event_type","task_id","payload"}`, whose members have had other names, too.
    ///
    /// @throws MalformedMessage if it is no object
    public static WorkerEvent read(JsonValue body) {
        var object = Fields.of(body, "").object();
        var type = first(object, List.of("event_type", "event", "type"));
        return new WorkerEvent(
                object.string("task_id").filter(id -> !id.isBlank()).orElse(null),
                type.flatMap(WorkerEvent::text).orElse("event"),
                first(object, List.of("payload", "data", "details")).orElse(null));
    }

    private static Optional<JsonValue> first(JsonObject object, List<String> names) {
        return names.stream()
                .flatMap(name -> object.get(name).stream())
                .filter(value -> value != JsonNull.NULL)
                .findFirst();
    }

    private static Optional<String> text(JsonValue value) {
        return Optional.of(JsonObject.of("text", value))
                .flatMap(object -> object.string("text"))
                .filter(text -> !text.isBlank());
    }

    /// What is kept of it: a line of the log of its task; empty if it is about none.
    public Optional<TaskLog> asLog(String workerId) {
        if (taskId == null) {
            return Optional.empty();
        }
        var message = payload == null ? type : type + " " + payload;
        var line = new TaskLog.Line(null, "event", message);
        return Optional.of(new TaskLog(workerId, taskId, null, List.of(line)));
    }
}
