package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The registrations of workers, over SIGKILL of the orchestrator: with workers that are nothing but requests.
@Timeout(Await.HUNG)
@Tag("kill")
@Tag("long")
final class RestartedFleetTest {
    /// What a client sees of it.
    private static final List<String> REGISTERED =
            List.of(
                    "supported_tasks",
                    "max_concurrent_tasks",
                    "task_categories",
                    "category_limits",
                    "resources",
                    "installed_models",
                    "cost_per_second",
                    "cost_per_skill",
                    "labels");

    @TempDir Path folder;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// Workers register once in their lives. Trap: after a restart one that only polls has no slots of its own, no resources, no
    /// prices, and gets nothing.
    @Test
    void aWorkerThatOnlyPolls_isAfterARestartWhatItRegistered_andGetsItsTasks() throws Exception {
        try (var orchestrator = new Orchestrator(folder)) {
            assertThat(register(orchestrator, "p1").statusCode()).isEqualTo(200);
            var before = registered(orchestrator);

            orchestrator.killAndRestart();
            var job = submit(orchestrator);

            var task = poll(orchestrator);
            assertThat(task.string("job_id")).hasValue(job);
            assertThat(registered(orchestrator)).isEqualTo(before);
            assertThat(before).hasSize(REGISTERED.size());

            var another = submit(orchestrator);
            assertThat(orchestrator.history(another))
                    .as("its limit of one heavy task at a time is in force")
                    .noneMatch(event -> event.toString().contains("lease.granted"));
            report(orchestrator, task);
            assertThat(poll(orchestrator).string("job_id")).hasValue(another);
        }
    }

    /// Trap: the new process waits until the leases of its dead predecessor run out, two minutes here.
    @Test
    void workerAndOrchestratorAreRestartedTogether_theNewProcessGetsTheTaskOfItsPredecessor()
            throws Exception {
        try (var orchestrator = new Orchestrator(folder)) {
            register(orchestrator, "p1");
            var job = submit(orchestrator);
            var first = poll(orchestrator);

            orchestrator.killAndRestart();
            register(orchestrator, "p2");

            var second = poll(orchestrator);
            assertThat(second.string("job_id")).hasValue(job);
            assertThat(second.string("task_id")).isNotEqualTo(first.string("task_id"));
            report(orchestrator, second);
            Await.await("the job has finished")
                    .until(() ->
                            orchestrator.awaitStatus(job).filter("finished"::equals).isPresent());
        }
    }

    private HttpResponse<byte[]> register(Orchestrator orchestrator, String instance)
            throws Exception {
        return send(
                orchestrator,
                "/_worker/workers/register",
                BodyPublishers.ofString(registration(instance)));
    }

    private static String registration(String instance) {
        return """
        {"worker_id":"w1","worker_type":"gpu-box","instance":"%s",
         "supported_tasks":["echo","noop"],"max_concurrent_tasks":2,
         "task_categories":{"echo":"heavy"},"category_limits":{"heavy":1},
         "resources":{"cpu_cores":8,"ram_gb":32,"gpu_info":{"model":"A100","vram_gb":40},
                      "max_concurrent_tasks":2},
         "installed_models":[{"name":"llama","version":"3"}],
         "cost_per_second":0.5,"cost_per_skill":{"echo":2},
         "labels":{"zone":"a"},"lease_ms":120000}
        """
                .formatted(instance);
    }

    private static String submit(Orchestrator orchestrator) {
        return orchestrator.submitted("echo", JsonObject.EMPTY);
    }

    /// The next task, as long as that takes.
    private JsonObject poll(Orchestrator orchestrator) throws Exception {
        while (true) {
            var answer =
                    http.send(
                            request(orchestrator, "/_worker/workers/w1/tasks/next").build(),
                            BodyHandlers.ofByteArray());
            if (answer.statusCode() == 200) {
                return (JsonObject) JsonText.read(answer.body());
            }
            assertThat(answer.statusCode()).isEqualTo(204);
        }
    }

    private void report(Orchestrator orchestrator, JsonObject task) throws Exception {
        var result =
                JsonObject.builder()
                        .put("worker_id", "w1")
                        .put("job_id", task.string("job_id").orElseThrow())
                        .put("task_id", task.string("task_id").orElseThrow())
                        .put("result", JsonObject.of("status", JsonValue.of("success")))
                        .build();
        var answer =
                send(
                        orchestrator,
                        "/_worker/tasks/result",
                        BodyPublishers.ofByteArray(JsonText.write(result)));
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("accepted");
    }

    private HttpResponse<byte[]> send(
            Orchestrator orchestrator, String path, HttpRequest.BodyPublisher body)
            throws Exception {
        return http.send(
                request(orchestrator, path).POST(body).build(), BodyHandlers.ofByteArray());
    }

    private static HttpRequest.Builder request(Orchestrator orchestrator, String path) {
        return HttpRequest.newBuilder(orchestrator.uri().resolve(path))
                .timeout(Await.longest())
                .header("X-Worker-Token", Orchestrator.WORKER_TOKEN);
    }

    private static Map<String, JsonValue> registered(Orchestrator orchestrator) throws Exception {
        var document = orchestrator.worker("w1");
        return REGISTERED.stream()
                .filter(document::has)
                .collect(Collectors.toMap(name -> name, name -> document.get(name).orElseThrow()));
    }
}
