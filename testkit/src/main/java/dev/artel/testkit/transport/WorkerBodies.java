package dev.artel.testkit.transport;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.protocol.TaskAssignment;
import java.util.List;

/// What workers send.
final class WorkerBodies {
    private WorkerBodies() {}

    /// A question with choices.
    static JsonObject question() {
        return JsonObject.builder()
                .put("id", "account")
                .put("question", "Which account?")
                .put("choices", JsonArray.ofStrings(List.of("savings", "current")))
                .build();
    }

    static JsonObject registration(String workerId, int capacity, String... tasks) {
        return JsonObject.builder()
                .put("worker_id", workerId)
                .put("worker_type", "t")
                .put("supported_tasks", JsonArray.ofStrings(List.of(tasks)))
                .put("max_concurrent_tasks", capacity)
                .put("installed_models", JsonArray.EMPTY)
                .put("hostname", "h")
                .put("ip_address", "10.0.0.5")
                .put(
                        "resources",
                        JsonObject.of("cpu_cores", JsonNumber.of(4), "gpu_info", JsonNull.NULL))
                .build();
    }

    static JsonObject heartbeat(int load, String... tasks) {
        return JsonObject.builder()
                .put("load", load)
                .put("status", "idle")
                .put("supported_tasks", JsonArray.ofStrings(List.of(tasks)))
                .put("hot_cache", JsonArray.EMPTY)
                .build();
    }

    static JsonObject success(String workerId, TaskAssignment task) {
        return result(
                workerId,
                task,
                JsonObject.of(
                        "status",
                        new JsonString("success"),
                        "data",
                        JsonObject.of("by", new JsonString(workerId))));
    }

    static JsonObject result(String workerId, TaskAssignment task, JsonValue result) {
        return JsonObject.builder()
                .put("job_id", task.jobId())
                .put("task_id", task.taskId())
                .put("worker_id", workerId)
                .put("result", result)
                .build();
    }

    static JsonObject leases(String workerId, String... tokens) {
        return JsonObject.builder()
                .put("worker_id", workerId)
                .put("lease_tokens", JsonArray.ofStrings(List.of(tokens)))
                .build();
    }
}
