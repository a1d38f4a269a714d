package dev.artel.protocol;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Something that happened to a worker, in its own form, as workers with flat results report it.
///
/// @param taskId the id of the hand-out that it is about; null if it is about none
/// @param type in the worker's words
/// @param payload what else it contains; null if nothing
public record WorkerEvent(@Nullable String taskId, String type, @Nullable JsonValue payload) {
    private static final List<String> PROGRESS = List.of("progress", "progress_update");

    /// Reads `{"event_type","target_task_id","payload"}`, whose members have had other names, too.
    ///
    /// @throws MalformedMessage if it is no object
    public static WorkerEvent read(JsonValue body) {
        var object = Fields.of(body, "").object();
        var type = first(object, List.of("event_type", "event", "type"));
        return new WorkerEvent(
                Stream.of("task_id", "target_task_id", "origin_task_id")
                        .flatMap(name -> object.string(name).stream())
                        .filter(id -> !id.isBlank())
                        .findFirst()
                        .orElse(null),
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

    /// Reads a frame of a socket; empty for a frame of another kind, which is ignored.
    ///
    /// @throws MalformedMessage if it is no object, or is progress with a member of the wrong type
    public static Optional<SocketMessage> readFrame(JsonValue frame) {
        var object = Fields.of(frame, "").object();
        return object.string("event_type").isPresent()
                ? read(frame).asMessage("")
                : Progress.readFrame(frame).map(progress -> progress);
    }

    /// What it reports of its task: how far it is, or a line of its log; empty if it is about none.
    ///
    /// @throws MalformedMessage if it is progress with a member of the wrong type
    public Optional<SocketMessage> asMessage(String workerId) {
        if (taskId == null) {
            return Optional.empty();
        }
        if (PROGRESS.contains(type)) {
            var fields = Fields.of(payload == null ? JsonObject.EMPTY : payload, "payload");
            return Optional.of(
                    new Progress(
                            null,
                            taskId,
                            null,
                            fields.decimal("progress", 0),
                            fields.string("message", "")));
        }
        var message = payload == null ? type : type + " " + payload;
        var line = new TaskLog.Line(null, "event", message);
        return Optional.of(new TaskLog(workerId, taskId, null, List.of(line)));
    }
}
