package dev.artel.e2e.python;

import dev.artel.config.Secret;
import dev.artel.config.ServerConfig;
import dev.artel.config.TokenSettings;
import dev.artel.config.ZeroMqSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.Step;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.session.SessionSettings;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/// An orchestrator in this process, and a client of it.
final class Node implements AutoCloseable {
    private static final String CLIENT = "client-token-of-the-python-tests";
    static final String WORKER = "worker-token-of-the-python-tests";

    /// How long workers may be silent.
    ///
    /// @param fresh after a restart
    record Terms(SessionSettings session, Duration fresh) {
        /// A worker is given up soon after it was killed, or when a busy machine lets it stand still.
        static final Terms SHORT =
                new Terms(
                        new SessionSettings(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(8),
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(60),
                                SessionSettings.Limits.DEFAULTS),
                        Duration.ofSeconds(5));

        /// No worker is given up that lives.
        static final Terms PATIENT =
                new Terms(
                        new SessionSettings(
                                Await.longest(),
                                Duration.ofSeconds(5),
                                Await.longest(),
                                Await.longest(),
                                Await.longest(),
                                SessionSettings.Limits.DEFAULTS),
                        Await.longest());
    }

    private final Path folder;
    private final Terms terms;
    private final HttpClient http = HttpClient.newHttpClient();
    private ZeroMqSettings zeroMq;
    private int port;
    private ArtelNode node;

    Node(Path folder, Terms terms) {
        this(folder, terms, ZeroMqSettings.DEFAULTS);
    }

    Node(Path folder, Terms terms, ZeroMqSettings zeroMq) {
        this.folder = folder;
        this.terms = terms;
        this.zeroMq = zeroMq;
        node = open();
    }

    private ArtelNode open() {
        var config =
                ServerConfig.DEFAULTS
                        .withPort(port)
                        .withData(folder.resolve("data"))
                        .withTokens(new TokenSettings.Given(new Secret(CLIENT), new Secret(WORKER)))
                        .withSession(terms.session)
                        .withIngress(ServerConfig.DEFAULTS.ingress().withZeroMq(zeroMq))
                        .withEngine(ServerConfig.DEFAULTS.engine().withFreshTerm(terms.fresh));
        var opened = ArtelNode.start(config, Blueprints.of(tasks()));
        port = opened.port();
        opened.zeroMqPorts().ifPresent(ports -> zeroMq = zeroMq.withPorts(ports));
        return opened;
    }

    /// `tasks`: `count` tasks of `type` with `params` at once, `attempts` times each; ends with the last answer.
    private static Blueprint tasks() {
        return Blueprint.named("tasks")
                .start("go", Node::dispatch)
                .leadingTo("end", "another")
                .state(
                        "another",
                        step -> Action.finish(JsonObject.of("end", JsonValue.of("other"))))
                .state("end", step -> Action.finish(step.data()))
                .build();
    }

    private static Action dispatch(Step step) {
        var data = step.initialData();
        var attempts = (int) data.number("attempts").map(JsonNumber::asLong).orElse(4L).longValue();
        var retry = new RetryPolicy(attempts, Duration.ofMillis(100), 1, Duration.ofMillis(100), 0);
        var spec =
                TaskSpec.of(
                                data.string("type").orElseThrow(),
                                data.object("params").orElse(JsonObject.EMPTY))
                        .withRetry(retry);
        var count = data.number("count").map(JsonNumber::asLong).orElse(1L).intValue();
        return count == 1
                ? Action.dispatch(spec, Outcomes.on("success", "end").and("rework", "another"))
                : Action.dispatchParallel(
                        IntStream.range(0, count).mapToObj(_ -> spec).toList(), "end");
    }

    ZeroMqSettings zeroMq() {
        return zeroMq;
    }

    URI uri() {
        return node.uri();
    }

    /// Stops in order, before this is closed.
    void stop() {
        node.close();
    }

    /// Stops in order and starts again on the same port and data.
    void restart() {
        node.close();
        // A busy machine frees the ports later.
        node =
                Await.await("the ports are free again")
                        .ignoreExceptions()
                        .until(this::open, Objects::nonNull);
    }

    String submit(String type, JsonObject params) throws IOException, InterruptedException {
        return submit(JsonObject.of("type", JsonValue.of(type), "params", params));
    }

    /// Submits as clients of the first generation do: the body is the data.
    String submit(JsonObject data) throws IOException, InterruptedException {
        var answer = send("POST", "/api/v1/jobs/tasks", data);
        if (answer.statusCode() != 202) {
            throw new AssertionError("submit was answered " + answer.statusCode());
        }
        return object(answer).string("job_id").orElseThrow();
    }

    void cancel(String job) throws IOException, InterruptedException {
        var answer = send("POST", "/api/v1/jobs/" + job + "/cancel", JsonObject.EMPTY);
        if (answer.statusCode() != 200) {
            throw new AssertionError("cancel was answered " + answer.statusCode());
        }
    }

    /// The job once it has the status.
    JsonObject await(String job, String status) {
        return Await.await("job " + job + " is " + status)
                .until(
                        () -> get("/api/v1/jobs/" + job + "?wait=1"),
                        found -> found.string("status").equals(Optional.of(status)));
    }

    JsonObject get(String path) throws IOException, InterruptedException {
        return object(send("GET", path, null));
    }

    JsonObject worker(String name) throws IOException, InterruptedException {
        return get("/api/v1/workers/" + name);
    }

    void awaitState(String worker, String state) {
        Await.await("worker " + worker + " is " + state)
                .until(() -> worker(worker).string("state").equals(Optional.of(state)));
    }

    /// The events of a type in the history of a job.
    List<JsonObject> history(String job, String type) throws IOException, InterruptedException {
        return history(job).stream()
                .filter(event -> event.string("type").equals(Optional.of(type)))
                .toList();
    }

    /// The history of a job.
    List<JsonObject> history(String job) throws IOException, InterruptedException {
        var answer = send("GET", "/api/v1/jobs/" + job + "/history?limit=1000", null);
        return ((JsonObject) JsonText.read(answer.body()))
                .array("items").orElseThrow().stream().map(JsonObject.class::cast).toList();
    }

    /// How many attempts of `job` were lost with `worker`.
    long lost(String job, String worker) throws IOException, InterruptedException {
        var its =
                history(job, "lease.granted").stream()
                        .filter(event -> event.string("worker").equals(Optional.of(worker)))
                        .map(event -> event.string("task_id"))
                        .toList();
        return history(job, "lease.lost").stream()
                .filter(event -> its.contains(event.string("task_id")))
                .count();
    }

    private static JsonObject object(HttpResponse<byte[]> answer) {
        return JsonText.read(answer.body()) instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    private HttpResponse<byte[]> send(
            String method, String path, @org.jspecify.annotations.Nullable JsonObject body)
            throws IOException, InterruptedException {
        var publisher =
                body == null
                        ? BodyPublishers.noBody()
                        : BodyPublishers.ofByteArray(JsonText.write(body));
        var request =
                HttpRequest.newBuilder(uri().resolve(path))
                        .timeout(Await.longest())
                        .header("Authorization", "Bearer " + CLIENT)
                        .method(method, publisher)
                        .build();
        return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
    }

    PythonWorker worker(
            PythonWorker.Generation generation, String name, Map<String, String> settings)
            throws IOException {
        return PythonWorker.start(generation, uri(), WORKER, name, folder, settings);
    }

    @Override
    public void close() {
        http.close();
        node.close();
    }
}
