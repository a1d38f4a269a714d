package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Asks a worker to stop a task.
///
/// @param taskId the id of the hand-out
/// @param jobId null if the orchestrator left it out
/// @param leaseToken null from orchestrators that know no leases
public record CancelTask(String taskId, @Nullable String jobId, @Nullable String leaseToken)
        implements OrchestratorMessage {
    private static final String WORD = "cancel_task";

    /// Reads a frame of a socket: a cancel under `command`, `type` or both; empty for a frame of another kind.
    ///
    /// @throws MalformedMessage if it is no object, or is a cancel with a member of the wrong type
    public static Optional<CancelTask> readFrame(JsonValue frame) {
        var fields = Fields.of(frame, "");
        if (!names(fields, "command") && !names(fields, "type")) {
            return Optional.empty();
        }
        return Optional.of(
                new CancelTask(
                        fields.id("task_id"),
                        fields.findString("job_id"),
                        fields.findString("lease_token")));
    }

    private static boolean names(Fields frame, String name) {
        return frame.object().string(name).filter(WORD::equals).isPresent();
    }

    /// The frame, under both spellings.
    @Override
    public JsonObject toJson() {
        var json =
                JsonObject.builder().put("type", WORD).put("command", WORD).put("task_id", taskId);
        if (jobId != null) {
            json.put("job_id", jobId);
        }
        if (leaseToken != null) {
            json.put("lease_token", leaseToken);
        }
        return json.build();
    }
}
