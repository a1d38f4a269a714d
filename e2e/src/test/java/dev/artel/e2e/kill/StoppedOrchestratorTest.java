package dev.artel.e2e.kill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An orchestrator whose process stands still, as under SIGSTOP or in a machine that is paused. The figures are properties, so that
/// the same can be measured with others: `-Dstandstill.lease=30 -Dstandstill.stop=90`, both in seconds.
@Timeout(Await.HUNG)
final class StoppedOrchestratorTest {
    private static final int LEASE = Integer.getInteger("standstill.lease", 10);
    private static final int STOP = Integer.getInteger("standstill.stop", 12);
    private static final int TASKS = 5;

    @TempDir Path folder;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /// Trap: all leases are over when the process goes on, before it reads what their workers sent meanwhile.
    @Test
    void leasesThatAreRenewedAfterAStandstill_areKept_howeverLongItWas() throws Exception {
        try (var orchestrator = new Orchestrator(folder)) {
            post(
                    orchestrator,
                    "/_worker/workers/register",
                    """
                    {"worker_id":"w1","supported_tasks":["echo"],"max_concurrent_tasks":%d,"lease_ms":%d,"instance":"p1"}
                    """
                            .formatted(TASKS, LEASE * 1000L));
            var tasks = new ArrayList<JsonObject>();
            var tokens = new ArrayList<String>();
            for (var i = 0; i < TASKS; i++) {
                var _ = orchestrator.submitted("echo", JsonObject.EMPTY);
                tasks.add(poll(orchestrator));
                tokens.add(text(tasks.getLast(), "lease_token"));
                var _ = renew(orchestrator, tokens);
            }

            orchestrator.standStill();
            Await.await("the stop is longer than a lease")
                    .pollDelay(STOP, TimeUnit.SECONDS)
                    .atMost(STOP + 60L, TimeUnit.SECONDS)
                    .until(() -> true);
            orchestrator.goOn();
            var renewed = renew(orchestrator, tokens);

            assertThat(renewed.array("lost").orElse(JsonArray.EMPTY)).isEmpty();
            for (var task : tasks) {
                report(orchestrator, task);
            }
            for (var task : tasks) {
                var job = text(task, "job_id");
                Await.await("job " + job + " has finished")
                        .until(
                                () -> orchestrator.awaitStatus(job),
                                Optional.of("finished")::equals);
                assertThat(orchestrator.history(job))
                        .extracting(event -> event.string("type").orElse(""))
                        .doesNotContain("lease.lost")
                        .containsOnlyOnce("lease.granted");
            }
        }
    }

    private JsonObject renew(Orchestrator orchestrator, List<String> tokens) throws Exception {
        var body = JsonObject.of("lease_tokens", JsonArray.ofStrings(tokens));
        return post(orchestrator, "/_worker/workers/w1/renew", body.toString());
    }

    private void report(Orchestrator orchestrator, JsonObject task) throws Exception {
        var result =
                JsonObject.builder()
                        .put("worker_id", "w1")
                        .put("job_id", text(task, "job_id"))
                        .put("task_id", text(task, "task_id"))
                        .put("lease_token", text(task, "lease_token"))
                        .put("result", JsonObject.of("status", JsonValue.of("success")))
                        .build();
        post(orchestrator, "/_worker/tasks/result", result.toString());
    }

    /// The next task, as long as that takes.
    private JsonObject poll(Orchestrator orchestrator) throws Exception {
        var request = request(orchestrator, "/_worker/workers/w1/tasks/next").GET().build();
        while (true) {
            var answer = http.send(request, BodyHandlers.ofByteArray());
            if (answer.statusCode() == 200) {
                return (JsonObject) JsonText.read(answer.body());
            }
            assertThat(answer.statusCode()).as("there is no task yet").isEqualTo(204);
        }
    }

    private JsonObject post(Orchestrator orchestrator, String path, String body) throws Exception {
        var request = request(orchestrator, path).POST(BodyPublishers.ofString(body)).build();
        var answer = http.send(request, BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return (JsonObject) JsonText.read(answer.body());
    }

    private static HttpRequest.Builder request(Orchestrator orchestrator, String path) {
        return HttpRequest.newBuilder(orchestrator.uri().resolve(path))
                .timeout(Await.longest())
                .header("X-Worker-Token", Orchestrator.WORKER_TOKEN);
    }

    private static String text(JsonObject task, String member) {
        return task.string(member).orElseThrow();
    }
}
