package dev.artel.examples.hello;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.server.ArtelNode;
import dev.artel.testkit.service.OptionalService;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example from end to end, as in docs/getting-started.md.
final class HelloIT {
    private static final Path PYTHON_WORKER =
            Path.of(System.getProperty("basedir", "."), "hello_worker.py");

    private static final Duration LONGEST = Duration.ofMinutes(3);

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
        var builder =
                new ProcessBuilder(OptionalService.PYTHON.program(), PYTHON_WORKER.toString());
        builder.environment().putAll(environment());
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("worker.log").toFile());

        var worker = builder.start();
        try {
            assertThat(jobFor("Grace"))
                    .contains("\"status\":\"finished\"", "Hello from Python, Grace!");
        } finally {
            worker.destroy();
            assertThat(worker.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS))
                    .as("it ended")
                    .isTrue();
        }
    }

    /// Trap: a refusal looks like a lost connection, and the worker asks with a wrong token forever.
    @Test
    void aWorkerInPlainPython_withAWrongToken_stopsAndNamesTheReason() throws Exception {
        var python = OptionalService.PYTHON.program();
        var log = folder.resolve("worker.log");
        var builder = new ProcessBuilder(python, PYTHON_WORKER.toString());
        builder.environment().putAll(environment());
        builder.environment().put("WORKER_TOKEN", "another");

        var worker = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        try {
            assertThat(worker.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS))
                    .as("it ended")
                    .isTrue();
        } finally {
            worker.destroyForcibly();
        }

        assertThat(worker.exitValue()).isEqualTo(1);
        assertThat(log)
                .content()
                .contains(
                        node.uri() + " refuses the token of hello-python-",
                        "(401): set WORKER_TOKEN");
    }

    @Test
    void aWorkerInPlainPython_withoutAToken_namesTheVariable() throws Exception {
        var python = OptionalService.PYTHON.program();
        assertThat(failing(1, python, PYTHON_WORKER.toAbsolutePath().toString()))
                .isEqualToIgnoringNewLines(
                        "set WORKER_TOKEN: ./artel token show worker --data hello-data prints it");
    }

    /// Trap: a second orchestrator in the same folder, or an empty variable, prints a stack trace.
    @Test
    void ordinaryMistakes_areNamedInOneLine() throws Exception {
        try (var _ =
                ArtelNode.start(
                        ServerConfig.DEFAULTS.withPort(0).withData(folder.resolve("hello-data")),
                        Blueprints.of(HelloBlueprint.hello()))) {
            assertThat(failing(2, program()))
                    .startsWith("hello: ")
                    .contains("hello-data")
                    .hasLineCount(1);
        }
        assertThat(failing(2, program("worker")))
                .startsWith("hello: ORCHESTRATOR_URL: ")
                .hasLineCount(1);
    }

    private static String[] program(String... arguments) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command =
                Stream.of(
                        java,
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hello.class.getName());
        return Stream.concat(command, Stream.of(arguments)).toArray(String[]::new);
    }

    /// What the program reports before it ends with `code`, in the folder of the test and with an empty address.
    private String failing(int code, String... command) throws Exception {
        var errors = folder.resolve("errors.log");
        var builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().put("ORCHESTRATOR_URL", "");
        builder.environment().remove("WORKER_TOKEN");
        builder.redirectOutput(folder.resolve("output.log").toFile())
                .redirectError(errors.toFile());
        var process = builder.start();
        try {
            assertThat(process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS))
                    .as("it ended")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(process.exitValue()).as(Files.readString(errors)).isEqualTo(code);
        return Files.readString(errors).stripTrailing();
    }

    private Map<String, String> environment() {
        return Map.of(
                "ORCHESTRATOR_URL", node.uri().toString(), "WORKER_TOKEN", node.workerToken());
    }

    private String jobFor(String name) throws IOException, InterruptedException {
        var body = HttpRequest.BodyPublishers.ofString("{\"name\":\"" + name + "\"}");
        var accepted = send(request("/api/v1/jobs/hello").POST(body));
        var id = accepted.replaceFirst(".*\"job_id\":\"([^\"]+)\".*", "$1");
        return send(request("/api/v1/jobs/" + id + "?wait=60"));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(node.uri().resolve(path))
                .timeout(LONGEST)
                .header("Authorization", "Bearer " + node.clientToken());
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString(UTF_8));
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 299);
        return answer.body();
    }
}
