package dev.artel.e2e.docs;

import static dev.artel.waits.Await.await;

import com.sun.net.httpserver.HttpServer;
import dev.artel.config.ServerConfig;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import dev.artel.worker.PermanentFailure;
import dev.artel.worker.Result;
import dev.artel.worker.TaskContext;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/// An orchestrator, a worker and a receiver of webhooks, with jobs in the states of which documents speak:
///
/// | scene | the job |
/// |---|---|
/// | `waiting` | waits for a signal; it was in the state `reserve` |
/// | `queued` | waits for a worker |
/// | `approval` | waits for a person, after its task |
/// | `question` | has a worker that asks a person |
/// | `doubt` | has a task of which nobody knows whether it was done |
/// | `quarantine` | is quarantined, since its task failed |
/// | `over` | has finished, after an approval in the state `ask` |
/// | `called` | has finished, and a webhook has been called |
/// | `tree` | waits, and has started another job |
/// | `limited` | has a task that waits for a shared limit |
/// | `demanding` | has a task for which the worker that offers it has too little memory |
/// | `placed` | has a task that one of two workers got, of three |
/// | `large` | has finished, with a large value in its data |
///
/// For one thread at a time.
final class Scenes implements AutoCloseable {
    static final Duration LONGEST = Await.longest();

    private static final double NEEDED = 24;

    record Order(String item, int amount, double price) {}

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<JsonObject> calls = new CopyOnWriteArrayList<>();
    private final HttpServer receiver;
    private final ArtelNode node;
    private final Worker worker;

    Scenes(Path folder) throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        calls.add(
                                (JsonObject)
                                        JsonText.read(exchange.getRequestBody().readAllBytes()));
                        exchange.sendResponseHeaders(204, -1);
                    }
                });
        receiver.start();
        var webhooks =
                WebhookSettings.DEFAULTS.withAllowHttp(true).withAllowPrivate(List.of("127.0.0.1"));
        var config = ServerConfig.DEFAULTS.withPort(0).withData(folder);
        node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withWebhooks(webhooks)), blueprints());
        worker =
                Worker.named("w0")
                        .orchestrator(node.uri(), node.workerToken())
                        .maxConcurrentTasks(50)
                        .withoutShutdownHook()
                        .drainTimeout(Duration.ofMillis(1))
                        .handle("book_hotel", JsonObject.class, (trip, _) -> bookHotel(trip))
                        .handle("pick", JsonObject.class, (_, task) -> ask(task))
                        .handle("transfer", JsonObject.class, (_, _) -> goOn())
                        .handle("occupy", JsonObject.class, (_, _) -> goOn())
                        .build();
        worker.start();
        register(
                "{\"worker_id\":\"w1\",\"supported_tasks\":[\"resize\"],\"max_concurrent_tasks\":4}");
    }

    private static Result bookHotel(JsonObject trip) {
        if (trip.string("to").orElse("").equals("Nowhere")) {
            throw new PermanentFailure("there is no hotel in Nowhere");
        }
        return Result.success();
    }

    private static Result ask(TaskContext task) throws InterruptedException {
        task.ask("Which account?", "savings", "current");
        return Result.success();
    }

    private static Result goOn() throws InterruptedException {
        Thread.sleep(LONGEST.multipliedBy(10));
        return Result.success();
    }

    private static Blueprints blueprints() {
        return Blueprints.of(
                Blueprint.named("hello")
                        .start("reserve", _ -> Action.transitionTo("wait"))
                        .leadingTo("wait")
                        .state("wait", _ -> Action.awaitSignal("never", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("basket")
                        .start("wait", _ -> Action.awaitSignal("never", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("order")
                        .initialData(Order.class)
                        .start("wait", _ -> Action.awaitSignal("never", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("trip")
                        .start("flight", _ -> Action.transitionTo("hotel"))
                        .leadingTo("hotel")
                        .state(
                                "hotel",
                                step ->
                                        Action.dispatch(
                                                TaskSpec.of("book_hotel", step.initialData()),
                                                Outcomes.on("success", "ask")))
                        .leadingTo("ask")
                        .state(
                                "ask",
                                _ ->
                                        Action.awaitApproval(
                                                "May it be?",
                                                Outcomes.on("approve", "end").and("reject", "no")))
                        .leadingTo("end", "no")
                        .end("end")
                        .failedEnd("no")
                        .build(),
                oneTask("question", TaskSpec.of("pick", JsonObject.EMPTY)),
                oneTask(
                        "doubt",
                        TaskSpec.of("transfer", JsonObject.EMPTY)
                                .notIdempotent()
                                .withExecutionTimeout(Duration.ofSeconds(1))),
                oneTask("queued", TaskSpec.of("greet", JsonObject.EMPTY)),
                oneTask(
                        "limited",
                        TaskSpec.of("occupy", JsonObject.EMPTY).limitedBy("tenant:42", 1)),
                oneTask("demanding", demanding("describe")),
                oneTask("placed", demanding("depict")),
                oneTask("wide", TaskSpec.of("resize", JsonObject.of("width", JsonValue.of(640)))),
                Blueprint.named("tree")
                        .start(
                                "begin",
                                _ -> Action.startBlueprint("hello", JsonObject.EMPTY, "wait"))
                        .leadingTo("wait")
                        .state("wait", _ -> Action.awaitSignal("never", "end"))
                        .leadingTo("end")
                        .end("end")
                        .build(),
                Blueprint.named("called")
                        .start(
                                "begin",
                                _ ->
                                        Action.finish(
                                                JsonObject.of("text", JsonValue.of("Hello, Ada!"))))
                        .build(),
                oneTask(
                        "pictures",
                        TaskSpec.of(
                                "resize",
                                JsonObject.of("picture", JsonValue.of("x".repeat(100_000))))),
                Blueprint.named("large")
                        .start(
                                "begin",
                                _ ->
                                        Action.transitionTo("end")
                                                .with(
                                                        JsonObject.of(
                                                                "customers",
                                                                JsonValue.of("x".repeat(3 << 20)),
                                                                "count",
                                                                JsonValue.of(1500))))
                        .leadingTo("end")
                        .end("end")
                        .build());
    }

    private static TaskSpec demanding(String type) {
        return TaskSpec.of(type, JsonObject.EMPTY)
                .demanding(it -> it.amount("ram_gb", NEEDED))
                .withDispatchDeadline(Duration.ofMinutes(10));
    }

    private static Blueprint oneTask(String name, TaskSpec task) {
        return Blueprint.named(name)
                .start("begin", _ -> Action.dispatch(task, Outcomes.on("success", "end")))
                .leadingTo("end")
                .end("end")
                .build();
    }

    ArtelNode node() {
        return node;
    }

    /// Where webhooks may be called.
    String receiver() {
        return "http://127.0.0.1:" + receiver.getAddress().getPort() + "/hooks/artel";
    }

    /// The body of the first call of `event`, once it has come.
    JsonObject call(String event) {
        return await("a call of " + event)
                .until(
                        () ->
                                calls.stream()
                                        .filter(it -> it.string("event").orElse("").equals(event))
                                        .findFirst()
                                        .orElse(JsonObject.EMPTY),
                        it -> !it.isEmpty());
    }

    /// A new job that is in the scene, by its id.
    String job(String scene) {
        return switch (scene) {
            case "waiting" -> awaitStatus(submit("hello", "Oslo"), "waiting_for_signal");
            case "tree" -> awaitStatus(submit("tree", "Oslo"), "waiting_for_signal");
            case "queued" -> awaitStatus(submit("queued", "Oslo"), "waiting_for_worker");
            case "quarantine" -> awaitStatus(submit("trip", "Nowhere"), "quarantined");
            case "approval" -> awaitStatus(submit("trip", "Oslo"), "waiting_for_human");
            case "doubt" -> awaitStatus(submit("doubt", "Oslo"), "waiting_for_human");
            case "large" -> awaitStatus(submit("large", "Oslo"), "finished");
            case "question" -> {
                var job = submit("question", "Oslo");
                await().until(() -> !items(job, "questions").isEmpty());
                yield job;
            }
            case "over" -> {
                var job = job("approval");
                ok(
                        "POST",
                        "/api/v1/jobs/" + job + "/approvals/" + number(job, "approval"),
                        "{\"decision\":\"approve\"}");
                yield awaitStatus(job, "finished");
            }
            case "called" -> {
                var job =
                        ok(
                                        "POST",
                                        "/api/v1/jobs",
                                        "{\"blueprint\":\"called\",\"initial_data\":{},\"webhook_url\":\""
                                                + receiver()
                                                + "\"}")
                                .string("job_id")
                                .orElseThrow();
                await().until(() ->
                        items(job, "webhooks").stream()
                                .anyMatch(it -> has(it, "state", "delivered")));
                yield job;
            }
            case "limited" -> {
                var first = submit("limited", "Oslo");
                await().until(() ->
                        items(first, "tasks").stream().anyMatch(it -> has(it, "status", "leased")));
                var second = submit("limited", "Oslo");
                await().until(() ->
                        ok("GET", "/api/v1/jobs/" + second + "/tasks/0/why", "")
                                .object("waits_because")
                                .flatMap(it -> it.string("reason"))
                                .filter("limit"::equals)
                                .isPresent());
                yield second;
            }
            case "demanding" -> {
                registerFleet();
                var job = submit("demanding", "Oslo");
                await().until(() ->
                        ok("GET", "/api/v1/jobs/" + job + "/tasks/0/why", "").has("waits_because"));
                yield job;
            }
            case "placed" -> {
                registerFleet();
                var polls =
                        List.of(
                                sendLater("GET", "/_worker/workers/gpu-1/tasks/next", ""),
                                sendLater("GET", "/_worker/workers/gpu-2/tasks/next", ""));
                for (var worker : List.of("gpu-1", "gpu-2")) {
                    await().until(() -> polls(worker) > 0);
                }
                var job = submit("placed", "Oslo");
                await().until(() -> polls.stream().anyMatch(CompletableFuture::isDone));
                yield job;
            }
            default -> throw new IllegalArgumentException("there is no scene '" + scene + "'");
        };
    }

    private long polls(String worker) {
        return ok("GET", "/api/v1/workers/" + worker, "")
                .number("waiting_polls")
                .map(JsonNumber::asLong)
                .orElse(0L);
    }

    private void registerFleet() {
        register(gpu("gpu-1", 32, "\"depict\"").replace("}}", "},\"cost\":0.4}"));
        register(gpu("gpu-2", 32, "\"depict\"").replace("}}", "},\"cost\":0.4}"));
        register(gpu("gpu-5", 16, "\"describe\",\"depict\""));
    }

    private static String gpu(String name, int ram, String types) {
        return "{\"worker_id\":\""
                + name
                + "\",\"supported_tasks\":["
                + types
                + "],\"max_concurrent_tasks\":4,\"resources\":{\"ram_gb\":"
                + ram
                + "}}";
    }

    private void register(String body) {
        ok("POST", "/_worker/workers/register", body);
    }

    String submit(String blueprint, String to) {
        return ok("POST", "/api/v1/jobs/" + blueprint, "{\"to\":\"" + to + "\",\"name\":\"Ada\"}")
                .string("job_id")
                .orElseThrow();
    }

    private String awaitStatus(String job, String status) {
        await("job " + job + " is " + status)
                .until(
                        () -> ok("GET", "/api/v1/jobs/" + job, "").string("status").orElse(""),
                        status::equals);
        return job;
    }

    /// The page of what `job` has of `kind`, such as `approvals`.
    List<JsonObject> items(String job, String kind) {
        return ok("GET", "/api/v1/jobs/" + job + "/" + kind, "").array("items").stream()
                .flatMap(JsonArray::stream)
                .map(JsonObject.class::cast)
                .toList();
    }

    private static boolean has(JsonObject object, String name, String value) {
        return object.string(name).orElse("").equals(value);
    }

    /// The number of the first approval or question of `job`.
    long number(String job, String what) {
        return items(job, what + "s").getFirst().number(what).map(JsonNumber::asLong).orElseThrow();
    }

    /// The answer, which must be a success.
    JsonObject ok(String method, String path, String body) {
        var answer = send(method, path, body);
        if (answer.statusCode() / 100 != 2) {
            throw new AssertionError(
                    method
                            + " "
                            + path
                            + " was answered "
                            + answer.statusCode()
                            + ": "
                            + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer.body().length == 0
                ? JsonObject.EMPTY
                : (JsonObject) JsonText.read(answer.body());
    }

    HttpResponse<byte[]> send(String method, String path, String body) {
        return sendLater(method, path, body).orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
    }

    CompletableFuture<HttpResponse<byte[]>> sendLater(String method, String path, String body) {
        var token = path.startsWith("/_worker/") ? node.workerToken() : node.clientToken();
        return http.sendAsync(
                HttpRequest.newBuilder(node.uri().resolve(path))
                        .header("Authorization", "Bearer " + token)
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        worker.close();
        http.shutdownNow();
        node.close();
        receiver.stop(0);
    }
}
