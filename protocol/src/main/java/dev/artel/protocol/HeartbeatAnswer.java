package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the orchestrator answers to a heartbeat.
///
/// @param status a word for people
/// @param cancelTasks what to stop: ids of hand-outs, leases or jobs
/// @param requireFullSync whether the worker must register again
/// @param jitter how much to spread the next heartbeat; null for as before
/// @param warning for the worker's operator; null if all is well
public record HeartbeatAnswer(
        String status,
        List<String> cancelTasks,
        boolean requireFullSync,
        @Nullable Duration jitter,
        @Nullable String warning)
        implements OrchestratorMessage {
    /// All is well.
    public static final HeartbeatAnswer REFRESHED =
            new HeartbeatAnswer("ttl_refreshed", List.of(), false, null);

    /// One without a warning.
    public HeartbeatAnswer(
            String status,
            List<String> cancelTasks,
            boolean requireFullSync,
            @Nullable Duration jitter) {
        this(status, cancelTasks, requireFullSync, jitter, null);
    }

    /// Copies `cancelTasks`.
    public HeartbeatAnswer {
        cancelTasks = List.copyOf(cancelTasks);
    }

    /// Reads the answer of any generation of orchestrators; the oldest ones send the worker's own record back.
    ///
    /// @throws MalformedMessage if a member has the wrong type
    public static HeartbeatAnswer read(JsonValue body) {
        var fields = Fields.of(body, "");
        var cancelled = new ArrayList<String>(fields.strings("cancel_task_ids"));
        cancelled.addAll(fields.strings("cancel_tasks"));
        cancelled.addAll(fields.strings("cancel"));
        var jitter = fields.findCount("next_heartbeat_jitter_ms");
        return new HeartbeatAnswer(
                fields.string("status", ""),
                cancelled,
                fields.flag("require_full_sync"),
                jitter == null ? null : Duration.ofMillis(jitter),
                fields.findString("warning"));
    }

    @Override
    public JsonObject toJson() {
        var json = JsonObject.builder().put("status", status);
        if (!cancelTasks.isEmpty()) {
            json.put("cancel_task_ids", JsonArray.ofStrings(cancelTasks));
        }
        if (requireFullSync) {
            json.put("require_full_sync", true);
        }
        if (jitter != null) {
            json.put("next_heartbeat_jitter_ms", jitter.toMillis());
        }
        if (warning != null) {
            json.put("warning", warning);
        }
        return json.build();
    }
}
