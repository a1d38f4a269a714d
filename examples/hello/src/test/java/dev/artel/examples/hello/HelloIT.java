package dev.artel.examples.hello;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example from end to end, as in docs/getting-started.md.
final class HelloIT {
    private static final Path PYTHON_WORKER =
            Path.of(System.getProperty("basedir", "."), "hello_worker.py");

    private final HttpClient client = HttpClient.newHttpClient();

    @TempDir Path folder;

    private ArtelNode node;

    @BeforeEach
    void start() {
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("data"));
        node = ArtelNode.start(config, Blueprints.of(HelloBlueprint.hello()));
    }

    @AfterEach
    void stop() {
        node.close();
        client.close();
    }

    @Test
    void aWorkerWithTheSdk_greets() throws Exception {
        try (var worker = HelloWorker.of(environment())) {
            worker.start();

            assertThat(jobFor("Ada")).contains("\"status\":\"finished\"", "Hello, Ada!");
        }
    }

    @Test
    void aWorkerInPlainPython_greets() throws Exception {
        assumeTrue(hasPython(), "python3 is missing");
        var builder = new ProcessBuilder("python3", PYTHON_WORKER.toString());
        builder.environment().putAll(environment());
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("worker.log").toFile());

        var worker = builder.start();
        try {
            assertThat(jobFor("Grace"))
                    .contains("\"status\":\"finished\"", "Hello from Python, Grace!");
        } finally {
            worker.destroy();
            assertThat(worker.waitFor(10, TimeUnit.SECONDS)).as("it ended").isTrue();
        }
    }

    /// Trap: a refusal looks like a lost connection, and the worker asks with a wrong token forever.
    @Test
    void aWorkerInPlainPython_withAWrongToken_stopsAndNamesTheReason() throws Exception {
        assumeTrue(hasPython(), "python3 is missing");
        var log = folder.resolve("worker.log");
        var builder = new ProcessBuilder("python3", PYTHON_WORKER.toString());
        builder.environment().putAll(environment());
        builder.environment().put("WORKER_TOKEN", "another");

        var worker = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(worker.waitFor(30, TimeUnit.SECONDS)).as("it ended").isTrue();
        } finally {
            worker.destroyForcibly();
        }

        assertThat(worker.exitValue()).isEqualTo(1);
        assertThat(log)
                .content()
                .contains(
                        node.uri() + " refuses the token of hello-python (401): set WORKER_TOKEN");
    }

    private Map<String, String> environment() {
        return Map.of(
                "ORCHESTRATOR_URL", node.uri().toString(), "WORKER_TOKEN", node.workerToken());
    }

    private String jobFor(String name) throws IOException, InterruptedException {
        var body = HttpRequest.BodyPublishers.ofString("{\"name\":\"" + name + "\"}");
        var accepted = send(request("/api/v1/jobs/hello").POST(body));
        var id = accepted.replaceFirst(".*\"job_id\":\"([^\"]+)\".*", "$1");
        return send(request("/api/v1/jobs/" + id + "?wait=30"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(node.uri().resolve(path))
                .timeout(Duration.ofSeconds(60))
                .header("Authorization", "Bearer " + node.clientToken());
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body();
    }

    private static boolean hasPython() throws InterruptedException {
        try {
            return new ProcessBuilder("python3", "--version").start().waitFor() == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
