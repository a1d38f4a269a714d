package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.KeepClosed;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is sent in headers stays there.
final class SecretsTest {
    private static final String TOKEN = "token-of-alice-0123456";
    private static final String HEADER = "a-secret-of-some-header";

    @TempDir private Path data;

    /// Trap: tokens and headers of clients and workers are kept with the job, and shown to anybody who may read it.
    @Test
    void tokensAndHeaders_areNeitherKeptNorShown() throws IOException {
        var clients =
                Files.writeString(
                        data.resolve("clients.toml"), "[alice]\ntoken = \"" + TOKEN + "\"\n");
        var config = TestNodes.CONFIG.withData(data);
        var shown = new ArrayList<String>();
        String workerToken;
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            workerToken = node.workerToken();
            var alice = new TestClient(node.uri(), "X-Client-Token", TOKEN);
            var submit = alice.post("/api/v1/jobs", "{\"blueprint\":\"echo\"}", "X-Other", HEADER);
            var id = submit.object().string("job_id").orElseThrow();
            var worker = new TestWorker(node, "w1", "echo");
            var task = worker.next();
            shown.add(task.toString());
            var workers = new TestClient(node.uri(), "X-Worker-Token", workerToken);
            var beat = workers.post("/_worker/workers/w1/renew", "{}", "X-Other", HEADER);
            shown.add(beat.text());
            shown.add(worker.report(task, JsonObject.EMPTY).text());
            assertThat(alice.get("/api/v1/jobs/" + id + "?wait=60").object().string("status"))
                    .contains("finished");
            for (var path :
                    List.of(
                            "/jobs/" + id,
                            "/jobs/" + id + "/history",
                            "/jobs/" + id + "/tasks/0",
                            "/jobs/" + id + "/explain",
                            "/jobs/" + id + "/events",
                            "/jobs",
                            "/workers/w1",
                            "/dashboard",
                            "/whoami")) {
                for (var client : List.of(alice, TestClient.of(node))) {
                    var answer = client.get("/api/v1" + path);
                    assertThat(answer.status()).as(path).isEqualTo(200);
                    shown.add(answer.text());
                }
            }
            shown.add(alice.get("/metrics").text());
            assertThat(String.join("\n", shown))
                    .doesNotContain(TOKEN, HEADER, workerToken, node.clientToken());
        }
        Files.delete(clients);
        try (var files = Files.walk(data)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(Files.readString(file, ISO_8859_1))
                        .as("%s", file)
                        .doesNotContain(TOKEN, HEADER, workerToken);
            }
        }
    }

    /// Trap: the jobs of one blueprint are many and short, those of another one have to be kept for years.
    @Test
    void whatIsClosed_isKeptForTheTimeOfItsBlueprint() {
        var own = new LinkedHashMap<String, Duration>();
        own.put("echo", Duration.ofMillis(100));
        var engine =
                TestNodes.CONFIG.engine().withKeepClosed(KeepClosed.DEFAULTS.withOfBlueprints(own));
        var config = TestNodes.CONFIG.withData(data).withEngine(engine);
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var kept = client.submit("{\"blueprint\":\"chain3\"}");
            client.post("/api/v1/jobs/" + kept + "/cancel", "{}");
            await().until(() ->
                    client.get("/api/v1/jobs/" + kept).text().contains("\"status\":\"cancelled\""));
            var brief = client.submit("{\"blueprint\":\"echo\"}");
            client.post("/api/v1/jobs/" + brief + "/cancel", "{}");

            await().until(() -> client.get("/api/v1/jobs/" + brief).status() == 404);

            assertThat(client.get("/api/v1/jobs/" + kept).status()).isEqualTo(200);
        }
    }

    /// Trap: jobs, their streams and their logs are never removed.
    @Test
    void whatIsClosed_isGoneAfterItsTime_andWhatIsOpenStays() {
        var engine =
                TestNodes.CONFIG
                        .engine()
                        .withKeepClosed(KeepClosed.DEFAULTS.withTime(Duration.ofSeconds(1)));
        var config = TestNodes.CONFIG.withData(data).withEngine(engine);
        try (var node = ArtelNode.start(config, SampleBlueprints.all())) {
            var client = TestClient.of(node);
            var closed = client.submit("{\"blueprint\":\"echo\"}");
            var worker = new TestWorker(node, "w1", "echo");
            worker.report(worker.next(), JsonObject.EMPTY);
            var open = client.submit("{\"blueprint\":\"chain3\"}");

            await().until(() -> client.get("/api/v1/jobs/" + closed).status() == 404);

            for (var path : List.of("/history", "/events", "/logs", "/tasks/0")) {
                assertThat(client.get("/api/v1/jobs/" + closed + path).status()).isEqualTo(404);
            }
            assertThat(client.get("/api/v1/jobs").items().size()).isEqualTo(1);
            assertThat(client.get("/api/v1/jobs/" + open).status()).isEqualTo(200);
        }
    }
}
