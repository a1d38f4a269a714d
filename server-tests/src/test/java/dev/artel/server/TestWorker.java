package dev.artel.server;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import java.util.List;

/// A worker of the first generation, by hand.
public final class TestWorker {
    private final String name;
    private final TestClient http;

    private TestWorker(ArtelNode node, String name) {
        this.name = name;
        http = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
    }

    /// A worker that had registered before the orchestrator was started anew.
    public static TestWorker fromBefore(ArtelNode node, String name) {
        return new TestWorker(node, name);
    }

    public TestWorker(ArtelNode node, String name, String... tasks) {
        this(node, name);
        var skills = String.join("\",\"", List.of(tasks));
        var answer =
                http.post(
                        "/_worker/workers/register",
                        "{\"worker_id\":\""
                                + name
                                + "\",\"supported_tasks\":[\""
                                + skills
                                + "\"],\"resources\":{\"max_concurrent_tasks\":5}}");
        if (answer.status() != 200) {
            throw new AssertionError("registering " + name + ": " + answer);
        }
    }

    /// Waits for a task. A poll comes back without one after half a minute.
    public JsonObject next() {
        var answer = Await.await("a task for " + name).until(this::poll, it -> it.status() != 204);
        if (answer.status() != 200) {
            throw new AssertionError("polling as " + name + ": " + answer);
        }
        return answer.object();
    }

    public Answer poll() {
        return http.get("/_worker/workers/" + name + "/tasks/next");
    }

    /// Reports success with `data`.
    public Answer report(JsonObject task, JsonObject data) {
        var result =
                JsonObject.builder()
                        .put("job_id", task.string("job_id").orElseThrow())
                        .put("task_id", task.string("task_id").orElseThrow())
                        .put("worker_id", name)
                        .put(
                                "result",
                                JsonObject.of("status", JsonValue.of("success"), "data", data))
                        .build();
        return http.post("/_worker/tasks/result", result.toString());
    }
}
