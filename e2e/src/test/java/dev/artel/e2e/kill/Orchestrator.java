package dev.artel.e2e.kill;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelServer;
import dev.artel.testkit.port.FreePort;
import dev.artel.waits.Await;
import dev.artel.waits.Evidence;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/// An orchestrator in a process of its own that is killed and started again on the same port and data.
final class Orchestrator implements AutoCloseable {
    static final String WORKER_TOKEN = "worker-token-of-the-kill-tests-0123456789";
    private static final String CLIENT_TOKEN = "client-token-of-the-kill-tests-0123456789";

    /// Of all its clients and workers.
    static final String[] TOKENS = {WORKER_TOKEN, CLIENT_TOKEN};

    /// What an orchestrator's death leaves leased is free again soon.
    static final Map<String, String> SHORT_TERMS =
            Map.of("ARTEL_SESSION_LEASE", "5s", "ARTEL_SESSION_HOLD", "5s");

    private final Path folder;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final int port;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(Await.longest())
                    .build();
    private Jvm process;

    Orchestrator(Path folder) throws IOException {
        this(folder, Map.of());
    }

    /// @param settings environment variables
    Orchestrator(Path folder, Map<String, String> settings) throws IOException {
        this.folder = folder;
        environment.putAll(settings);
        environment.put("ARTEL_CLIENT_TOKEN", CLIENT_TOKEN);
        environment.put("ARTEL_WORKER_TOKEN", WORKER_TOKEN);
        port = FreePort.next();
        process = launch();
        awaitReady();
    }

    private Jvm launch() throws IOException {
        return Jvm.start(
                ArtelServer.class,
                environment,
                folder.resolve("orchestrator.log"),
                List.of(
                        "--port",
                        Integer.toString(port),
                        "--data",
                        folder.resolve("data").toString()));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    /// Kills it and starts it again; ready when the call returns.
    void killAndRestart() throws IOException {
        process.kill();
        process = launch();
        awaitReady();
    }

    /// Kills it.
    void kill() {
        process.kill();
    }

    /// Its process stands still until [#goOn].
    void standStill() throws IOException, InterruptedException {
        process.stop();
    }

    /// Its process goes on after [#standStill].
    void goOn() throws IOException, InterruptedException {
        process.goOn();
    }

    /// Asks its process to read its files again; it does so behind this call.
    void hangUp() throws IOException, InterruptedException {
        process.hangUp();
    }

    /// What its processes have logged so far.
    List<String> log() throws IOException {
        return Files.readAllLines(folder.resolve("orchestrator.log"));
    }

    /// Starts it again after a [#kill]; ready when the call returns.
    void start() throws IOException {
        process = launch();
        awaitReady();
    }

    /// Where its data are.
    Path data() {
        return folder.resolve("data");
    }

    /// Whether it knows a job.
    boolean knows(String job) throws IOException, InterruptedException {
        var response =
                http.send(
                        request("/api/v1/jobs/" + job).build(),
                        HttpResponse.BodyHandlers.discarding());
        if (response.statusCode() != 200 && response.statusCode() != 404) {
            throw new IOException("asked for " + job + ", answered " + response.statusCode());
        }
        return response.statusCode() == 200;
    }

    private void awaitReady() {
        Await.await("the orchestrator is ready")
                .pollInterval(Duration.ofMillis(50))
                .until(this::isReady);
    }

    private boolean isReady() throws InterruptedException, IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException(
                    "the orchestrator ended by itself:\n"
                            + Files.readString(folder.resolve("orchestrator.log")));
        }
        try {
            return http.send(request("/readyz").build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        }
    }

    /// Submits a job; empty if the orchestrator did not acknowledge it, for whatever reason.
    Optional<String> submit(String blueprint, String key, JsonObject data)
            throws InterruptedException {
        var body =
                JsonObject.builder()
                        .put("blueprint", blueprint)
                        .put("idempotency_key", key)
                        .put("initial_data", data)
                        .build();
        var request =
                request("/api/v1/jobs")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(JsonText.write(body)))
                        .build();
        try {
            var response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            return response.statusCode() == 202
                    ? ((JsonObject) JsonText.read(response.body())).string("job_id")
                    : Optional.empty();
        } catch (IOException notAcknowledged) {
            return Optional.empty();
        }
    }

    /// Submits a job under one key until it is acknowledged: while its store takes nothing, as on a busy disk, it is refused.
    String submitted(String blueprint, JsonObject data) {
        var key = UUID.randomUUID().toString();
        return Await.await("a job of " + blueprint + " is acknowledged")
                .until(() -> submit(blueprint, key, data), Optional::isPresent)
                .orElseThrow();
    }

    /// The status of a job, after waiting for its end; empty if the orchestrator does not answer.
    Optional<String> awaitStatus(String job) throws InterruptedException {
        try {
            return get("/api/v1/jobs/" + job + "?wait=20") instanceof JsonObject document
                    ? document.string("status")
                    : Optional.empty();
        } catch (IOException away) {
            return Optional.empty();
        }
    }

    /// A worker as clients see it.
    JsonObject worker(String name) throws IOException, InterruptedException {
        return (JsonObject) get("/api/v1/workers/" + name);
    }

    /// The document of a job.
    JsonObject look(String job) throws IOException, InterruptedException {
        return (JsonObject) get("/api/v1/jobs/" + job);
    }

    List<JsonObject> history(String job) throws IOException, InterruptedException {
        return ((JsonObject) get("/api/v1/jobs/" + job + "/history?limit=1000"))
                .array("items").orElseThrow().stream().map(JsonObject.class::cast).toList();
    }

    /// What there is to know about a job, for the report of a wait in vain until it is closed.
    Evidence explained(String job) {
        return Evidence.of(
                "job " + job, () -> read("/api/v1/jobs/" + job + "/explain") + "\n" + history(job));
    }

    private JsonValue get(String path) throws IOException, InterruptedException {
        var response = http.send(request(path).build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200) {
            throw new IOException("GET " + path + " was answered " + response.statusCode());
        }
        return JsonText.read(response.body());
    }

    /// What it answers at `path`.
    JsonObject read(String path) throws IOException, InterruptedException {
        return (JsonObject) get(path);
    }

    /// Writes `body` at `path`.
    ///
    /// @return the answer to what it has taken
    JsonObject write(String path, JsonObject body) throws IOException, InterruptedException {
        var request =
                request(path)
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(JsonText.write(body)))
                        .build();
        var response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() != 200 && response.statusCode() != 201) {
            throw new IOException("PUT " + path + " was answered " + response.statusCode());
        }
        return (JsonObject) JsonText.read(response.body());
    }

    /// Asks for a run of the schedule `name` at once; whether it was acknowledged.
    boolean run(String name, String key) throws InterruptedException {
        var request =
                request("/api/v1/schedules/" + name + "/run")
                        .header("Idempotency-Key", key)
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        try {
            var status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            return status >= 200 && status < 300;
        } catch (IOException notAcknowledged) {
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri().resolve(path))
                .timeout(Await.longest())
                .header("Authorization", "Bearer " + CLIENT_TOKEN);
    }

    @Override
    public void close() {
        process.kill();
        http.close();
    }
}
