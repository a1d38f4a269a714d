package dev.artel.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.OrchestratorMessage;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.ResultBatch;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// An orchestrator on a real socket that does as the contract requires, or as the test sets it.
final class ScriptedOrchestrator implements AutoCloseable {
    static {
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    final List<Request> requests = new CopyOnWriteArrayList<>();
    final List<TaskResult> results = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<TaskAssignment> tasks = new LinkedBlockingQueue<>();
    private final Map<String, TaskAssignment> offered = new ConcurrentHashMap<>();
    private final List<Rule> rules = new CopyOnWriteArrayList<>();
    private final List<String> cancels = new CopyOnWriteArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final AtomicInteger number = new AtomicInteger();
    private final @Nullable Duration lease;
    private final Duration hold;
    private HttpServer server;
    private int port;
    private volatile boolean isDraining;

    /// How often it went away; a poll of an earlier life takes no task.
    private final AtomicInteger life = new AtomicInteger();

    /// What came in.
    ///
    /// @param tokens the values of `Authorization` and `X-Worker-Token`, empty for one that was not sent
    record Request(
            String method,
            String path,
            String query,
            String body,
            List<String> tokens,
            Instant at) {
        boolean is(String wantedMethod, String ending) {
            return method.equals(wantedMethod) && path.endsWith(ending);
        }

        JsonObject json() {
            return (JsonObject) JsonText.read(body);
        }
    }

    /// What goes out.
    record Reply(int status, String body, Map<String, String> headers) {
        static Reply of(int status, String body) {
            return new Reply(status, body, Map.of());
        }

        static Reply json(JsonValue body) {
            return of(200, body.toString());
        }

        static Reply message(OrchestratorMessage message) {
            return json(message.toJson());
        }

        /// The connection ends without an answer.
        static final Reply NONE = of(0, "");
    }

    interface Rule {
        @Nullable Reply on(Request request);
    }

    private ScriptedOrchestrator(@Nullable Duration lease, Duration hold) {
        this.lease = lease;
        this.hold = hold;
        server = open(0);
        port = server.getAddress().getPort();
    }

    /// One that grants leases of `lease`.
    static ScriptedOrchestrator granting(Duration lease) {
        return new ScriptedOrchestrator(lease, Duration.ofMillis(400));
    }

    /// One of the first generation, which knows no extension.
    static ScriptedOrchestrator ofTheFirstGeneration() {
        return new ScriptedOrchestrator(null, Duration.ofMillis(400));
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + port);
    }

    private HttpServer open(int wanted) {
        try {
            var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), wanted);
            var opened = HttpServer.create(address, 0);
            opened.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            opened.createContext("/", this::handle);
            opened.start();
            return opened;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void goAway() {
        life.incrementAndGet();
        server.stop(0);
    }

    void comeBack() {
        server = open(port);
    }

    /// Answers the next `times` requests that match with `reply`.
    void next(int times, Predicate<Request> which, Reply reply) {
        var left = new AtomicInteger(times);
        rules.add(request -> which.test(request) && left.getAndDecrement() > 0 ? reply : null);
    }

    /// Answers every request by `rule` unless it gives null.
    void always(Rule rule) {
        rules.add(rule);
    }

    /// Offers a task.
    ///
    /// @return its id
    String offer(String type, JsonObject params) {
        var id = "t-" + number.incrementAndGet();
        var task =
                new TaskAssignment(
                        "j-" + id,
                        id,
                        type,
                        params,
                        JsonObject.EMPTY,
                        new TaskAssignment.Terms(
                                lease == null ? null : "lease-" + id, 1, 0, null, lease));
        offered.put(id, task);
        tasks.add(task);
        return id;
    }

    /// Hands a task out once more under the same lease.
    void repeat(String id) {
        tasks.add(offered.get(id));
    }

    void cancel(String id) {
        cancels.add(id);
    }

    void loseLease(String id) {
        lost.add(id);
    }

    List<Request> all(String method, String ending) {
        return requests.stream().filter(request -> request.is(method, ending)).toList();
    }

    List<Request> heartbeats() {
        return requests.stream().filter(request -> request.method.equals("PATCH")).toList();
    }

    int waitingTasks() {
        return tasks.size();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            var uri = exchange.getRequestURI();
            var query = uri.getQuery() == null ? "" : uri.getQuery();
            var request =
                    new Request(
                            exchange.getRequestMethod(),
                            uri.getPath(),
                            query,
                            body,
                            List.of(
                                    header(exchange, "Authorization"),
                                    header(exchange, "X-Worker-Token")),
                            Instant.now());
            requests.add(request);
            send(exchange, reply(request));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String header(HttpExchange exchange, String name) {
        var value = exchange.getRequestHeaders().getFirst(name);
        return value == null ? "" : value;
    }

    private static void send(HttpExchange exchange, Reply reply) throws IOException {
        if (reply.status == 0) {
            return;
        }
        reply.headers.forEach(exchange.getResponseHeaders()::set);
        var bytes = reply.body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private Reply reply(Request request) throws InterruptedException {
        for (var rule : rules) {
            var reply = rule.on(request);
            if (reply != null) {
                return reply;
            }
        }
        if (request.is("POST", "/register")) {
            return Reply.message(new RegisterAnswer("registered", lease, null));
        }
        if (request.is("GET", "/tasks/next")) {
            return poll(request);
        }
        if (request.is("POST", "/tasks/result")) {
            return single(TaskResult.read(request.json()));
        }
        if (lease != null && request.method.equals("POST")) {
            return extension(request);
        }
        if (request.method.equals("DELETE")) {
            return Reply.of(204, "");
        }
        if (request.method.equals("PATCH")) {
            var orders = cancels.isEmpty() ? JsonObject.EMPTY : orders();
            return Reply.json(request.body.isEmpty() ? orders : request.json().merge(orders));
        }
        return Reply.of(404, "404: Not Found");
    }

    private JsonObject orders() {
        return JsonObject.of("cancel_tasks", JsonArray.ofStrings(cancels));
    }

    private Reply extension(Request request) {
        if (request.is("POST", "/tasks/results")) {
            var answers = new ArrayList<ResultAnswer>();
            for (var entry : ResultBatch.read(request.json()).entries()) {
                answers.add(
                        switch (entry) {
                            case ResultBatch.Entry.Understood(var result) -> {
                                results.add(result);
                                yield ResultAnswer.accepted(result.outcome());
                            }
                            case ResultBatch.Entry.NotUnderstood(var why) ->
                                    ResultAnswer.refused(why);
                        });
            }
            return Reply.json(ResultAnswer.toJson(answers));
        }
        if (request.is("POST", "/renew")) {
            return Reply.message(
                    new RenewAnswer(
                            List.of(),
                            lost.stream().map(id -> new RenewAnswer.Lost(id, "expired")).toList(),
                            cancels));
        }
        if (request.is("POST", "/release")) {
            return Reply.json(JsonObject.of("released", JsonArray.EMPTY));
        }
        isDraining = true;
        return Reply.json(JsonObject.of("status", new JsonString("draining")));
    }

    private Reply single(TaskResult result) {
        results.add(result);
        return Reply.message(ResultAnswer.accepted(result.outcome()));
    }

    private Reply poll(Request request) throws InterruptedException {
        var max = lease == null ? 1 : Integer.parseInt(request.query.replace("max=", ""));
        var found = new ArrayList<TaskAssignment>();
        var deadline = System.nanoTime() + hold.toNanos();
        var began = life.get();
        while (found.isEmpty()
                && System.nanoTime() < deadline
                && !isDraining
                && life.get() == began) {
            var first = tasks.poll(20, TimeUnit.MILLISECONDS);
            if (first != null) {
                found.add(first);
                tasks.drainTo(found, max - 1);
            }
        }
        if (life.get() != began) {
            tasks.addAll(found);
            return Reply.NONE;
        }
        if (found.isEmpty()) {
            return Reply.of(204, "");
        }
        return Reply.json(lease == null ? found.getFirst().toJson() : TaskAssignment.toJson(found));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
