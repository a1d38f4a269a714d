package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// How far a task is.
///
/// @param jobId null if the worker left it out
/// @param leaseToken null from workers that know no leases
/// @param fraction from 0 to 1, as far as workers keep to it
/// @param message for people; empty if there is none
public record Progress(
        @Nullable String jobId,
        String taskId,
        @Nullable String leaseToken,
        double fraction,
        String message)
        implements SocketMessage {
    private static final String WORD = "progress_update";

    @Override
    public String lease() {
        return leaseToken == null ? taskId : leaseToken;
    }

    /// Reads a frame of a socket: progress under `event`, `type` or both; empty for a frame of another kind,
    /// which is ignored.
    ///
    /// @throws MalformedMessage if it is no object, or is progress with a member of the wrong type
    public static Optional<Progress> readFrame(JsonValue frame) {
        var fields = Fields.of(frame, "");
        var isProgress = names(fields, "event") || names(fields, "type");
        return isProgress ? Optional.of(read(frame, "")) : Optional.empty();
    }

    private static boolean names(Fields frame, String name) {
        return frame.object().string(name).filter(WORD::equals).isPresent();
    }

    static Progress read(JsonValue value, String path) {
        var fields = Fields.of(value, path);
        return new Progress(
                fields.findString("job_id"),
                fields.id("task_id"),
                fields.findString("lease_token"),
                fields.decimal("progress", 0),
                fields.string("message", ""));
    }

    /// The members without the kind of frame.
    JsonObject toJson() {
        return members(JsonObject.builder());
    }

    /// The frame, under both spellings.
    public JsonObject toFrame() {
        return members(JsonObject.builder().put("event", WORD).put("type", WORD));
    }

    private JsonObject members(JsonObject.Builder json) {
        json.put("task_id", taskId);
        if (jobId != null) {
            json.put("job_id", jobId);
        }
        if (leaseToken != null) {
            json.put("lease_token", leaseToken);
        }
        return json.put("progress", JsonNumbers.of(fraction)).put("message", message).build();
    }
}
