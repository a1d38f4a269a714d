package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.protocol.MalformedMessage;
import dev.artel.protocol.Progress;
import dev.artel.protocol.RenewAnswer;
import dev.artel.protocol.TaskAssignment;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A WebSocket over which the orchestrator sends tasks; all else are calls, with the bodies of HTTP. Safe for use by many threads.
final class SocketTaskWire implements TaskWire {
    private static final Logger LOG = LoggerFactory.getLogger(SocketTaskWire.class);
    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration BEAT = Duration.ofSeconds(15);
    private static final Duration LAST_CALLS = Duration.ofMillis(500);

    /// After a break workers do not all come back at once.
    private static final Duration SPREAD = Duration.ofSeconds(1);

    private static final int MOST_AT_ONCE = 10_000;
    private static final int LONGEST_NAME = 200;
    private static final int LARGEST_MESSAGE = 4 << 20;

    private final HttpClient http;
    private final Orchestrator orchestrator;
    private final String worker;
    private final int inline;
    private final WireEvents events;
    private final ReentrantLock connecting = new ReentrantLock();
    private final AtomicLong lastCall = new AtomicLong();
    private volatile @Nullable Session open;
    private volatile boolean hasBroken;
    private volatile int largestMessage = LARGEST_MESSAGE;

    /// @param http belongs to others, who close it
    /// @param inline larger parameters come as references; below 0: as the orchestrator decides
    SocketTaskWire(
            HttpClient http,
            Orchestrator orchestrator,
            String workerId,
            int inline,
            WireEvents events) {
        this.http = http;
        this.orchestrator = orchestrator;
        this.worker = workerId;
        this.inline = inline;
        this.events = events;
    }

    @Override
    public String name() {
        return "websocket";
    }

    @Override
    public boolean pushes() {
        return true;
    }

    @Override
    public void probe(Duration timeout) throws IOException, InterruptedException {
        SocketConnection.probe(http, orchestrator, CONNECT);
    }

    @Override
    public OrchestratorResponse register(
            JsonObject introduction, List<String> held, Duration timeout)
            throws IOException, InterruptedException {
        connecting.lockInterruptibly();
        try {
            var session = open;
            if (session == null || session.connection().hasEnded()) {
                if (hasBroken) {
                    hasBroken = false;
                    Thread.sleep(Backoff.random(SPREAD));
                }
                session = new Session();
            }
            open = session;
            var answer = session.register(registration(introduction, held), timeout);
            if (!isSuccess(answer)) {
                drop(session);
                return refusal(answer);
            }
            answer.number("maxMessageBytes")
                    .filter(JsonNumber::isLong)
                    .ifPresent(most ->
                            largestMessage = (int) Math.min(LARGEST_MESSAGE, most.asLong()));
            return new OrchestratorResponse(200, JsonText.write(terms(introduction)), null);
        } finally {
            connecting.unlock();
        }
    }

    private static boolean isSuccess(JsonObject acknowledgement) {
        return acknowledgement.get("success").orElse(JsonNull.NULL) == JsonBoolean.TRUE;
    }

    private static OrchestratorResponse refusal(JsonObject acknowledgement) {
        var wait =
                acknowledgement
                        .number("retryAfterMs")
                        .filter(JsonNumber::isLong)
                        .map(millis -> Duration.ofMillis(Math.max(0, millis.asLong())))
                        .orElse(null);
        return new OrchestratorResponse(
                wait == null ? 403 : 503, JsonText.write(acknowledgement), wait);
    }

    /// The orchestrator grants the term that the worker wishes, and each task names its own.
    private static JsonObject terms(JsonObject introduction) {
        var terms = JsonObject.of("status", new JsonString("registered"));
        return introduction.get("lease_ms").map(term -> terms.with("lease_ms", term)).orElse(terms);
    }

    private JsonObject registration(JsonObject introduction, List<String> held) {
        var most = introduction.number("max_concurrent_tasks").map(JsonNumber::asLong).orElse(1L);
        var artel =
                JsonObject.builder()
                        .put("delivery", "push")
                        .put("runningTasks", JsonArray.ofStrings(held))
                        .put("profile", introduction);
        introduction.get("instance").ifPresent(instance -> artel.put("instance", instance));
        if (inline >= 0) {
            artel.put("inlineBytes", inline);
        }
        var capabilities =
                JsonObject.builder()
                        .put("models", JsonArray.EMPTY)
                        .put("maxConcurrentRequests", Math.clamp(most, 1, MOST_AT_ONCE))
                        .put(
                                "metadata",
                                JsonObject.of(
                                        "acceptsWork", JsonValue.of(true), "artel", artel.build()))
                        .build();
        var named = introduction.string("worker_type").filter(type -> !type.isBlank());
        var name = named.orElse(worker);
        return JsonObject.builder()
                .put("type", "worker_registration")
                .put("workerId", worker)
                .put("workerName", name.substring(0, Math.min(LONGEST_NAME, name.length())))
                .put("authToken", orchestrator.token())
                .put("capabilities", capabilities)
                .build();
    }

    @Override
    public OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var session = open;
        if (session == null) {
            throw new IOException("there is no connection to " + orchestrator);
        }
        return session.call(operation, taskId.isEmpty() ? body : about(taskId, body), timeout);
    }

    private static byte[] about(String taskId, byte[] body) {
        var json = (JsonObject) JsonText.readWritten(body);
        return JsonText.write(json.with("task_id", new JsonString(taskId)));
    }

    @Override
    public boolean send(Progress progress) {
        var session = open;
        if (session == null || !Double.isFinite(progress.fraction())) {
            return false;
        }
        var message =
                about("work_progress", progress.lease())
                        .put("progress", JsonValue.of(progress.fraction()))
                        .put("message", progress.message());
        return session.connection().send(JsonText.write(message.build()));
    }

    private static JsonObject.Builder about(String type, String lease) {
        return JsonObject.builder().put("type", type).put("requestId", lease);
    }

    @Override
    public void leave() {
        var session = open;
        open = null;
        if (session != null) {
            var _ = Thread.ofVirtual().name("artel-websocket-end").start(session::leave);
        }
    }

    @Override
    public void close() {
        var session = open;
        open = null;
        if (session != null) {
            session.connection().close();
        }
    }

    private void drop(Session session) {
        open = null;
        session.connection().close();
    }

    @Override
    public String toString() {
        return orchestrator.toString();
    }

    /// One connection, and what waits for an answer on it.
    private final class Session {
        private final SocketConnection connection;
        private final Map<String, Call> calls = new ConcurrentHashMap<>();
        private final CompletableFuture<JsonObject> ended = new CompletableFuture<>();
        private volatile CompletableFuture<JsonObject> registered = new CompletableFuture<>();

        private record Call(WireOperation operation, CompletableFuture<JsonObject> answer) {}

        Session() throws IOException, InterruptedException {
            connection =
                    SocketConnection.open(
                            http,
                            orchestrator,
                            new SocketConnection.Receiver(
                                    this::received, this::beat, (_, cause) -> ended(cause)),
                            BEAT,
                            CONNECT);
        }

        SocketConnection connection() {
            return connection;
        }

        JsonObject register(JsonObject registration, Duration timeout)
                throws IOException, InterruptedException {
            var answer = new CompletableFuture<JsonObject>();
            registered = answer;
            send(JsonText.write(registration));
            return await("registration", answer, timeout);
        }

        private void send(byte[] message) throws IOException {
            if (!connection.send(message)) {
                throw new IOException("the connection to " + orchestrator + " is over, or full");
            }
        }

        OrchestratorResponse call(WireOperation operation, byte[] body, Duration timeout)
                throws IOException, InterruptedException {
            var id = Long.toString(lastCall.incrementAndGet());
            var message = message(id, operation, body);
            if (message.length > largestMessage) {
                var text = "more than the " + largestMessage + " bytes of a message";
                return new OrchestratorResponse(413, text.getBytes(UTF_8), null);
            }
            var answer = new CompletableFuture<JsonObject>();
            calls.put(id, new Call(operation, answer));
            try {
                send(message);
                return response(await(operation.toString(), answer, timeout));
            } finally {
                calls.remove(id);
            }
        }

        private static byte[] message(String id, WireOperation operation, byte[] body) {
            var method = operation.name().toLowerCase(Locale.ROOT);
            var message = new ByteArrayOutputStream(body.length + 100);
            message.writeBytes(
                    ("{\"type\":\"call\",\"callId\":\"" + id + "\",\"method\":\"" + method + "\"")
                            .getBytes(UTF_8));
            if (body.length > 0) {
                message.writeBytes(",\"body\":".getBytes(UTF_8));
                message.writeBytes(body);
            }
            message.write('}');
            return message.toByteArray();
        }

        private JsonObject await(
                String what, CompletableFuture<JsonObject> answer, Duration timeout)
                throws IOException, InterruptedException {
            try {
                var _ =
                        CompletableFuture.anyOf(answer, ended)
                                .get(timeout.toMillis(), TimeUnit.MILLISECONDS);
                return answer.getNow(null) == null ? ended.get() : answer.get();
            } catch (ExecutionException e) {
                throw new IOException(what + ": " + e.getCause(), e);
            } catch (TimeoutException e) {
                throw new IOException(
                        what + ": no answer from " + orchestrator + " in " + timeout, e);
            }
        }

        private static OrchestratorResponse response(JsonObject answer) throws IOException {
            var status = answer.number("status").filter(JsonNumber::isLong).orElse(null);
            if (status == null) {
                throw new IOException("an answer has no status: " + answer);
            }
            var body = answer.get("body").orElse(JsonNull.NULL);
            var wait =
                    body instanceof JsonObject object
                            ? object.number("retryAfterMs")
                                    .filter(JsonNumber::isLong)
                                    .map(millis -> Duration.ofMillis(Math.max(0, millis.asLong())))
                                    .orElse(null)
                            : null;
            return new OrchestratorResponse(
                    (int) status.asLong(),
                    body instanceof JsonNull ? new byte[0] : JsonText.write(body),
                    wait);
        }

        /// A sign of life that names the tasks.
        private void beat() {
            var message =
                    JsonObject.builder()
                            .put("type", "heartbeat")
                            .put("workerId", worker)
                            .put("timestamp", Instant.now().toString())
                            .put("runningTasks", JsonArray.ofStrings(events.held()))
                            .build();
            if (open == this && registered.isDone()) {
                var _ = connection.send(JsonText.write(message));
            }
        }

        private void received(String text) {
            try {
                if (JsonText.read(text) instanceof JsonObject message) {
                    received(message);
                }
            } catch (MalformedJson | MalformedMessage unreadable) {
                LOG.atWarn()
                        .addKeyValue("orchestrator", orchestrator)
                        .addKeyValue("cause", unreadable.getMessage())
                        .log("a message cannot be read; ignored");
            }
        }

        private void received(JsonObject message) {
            switch (message.string("type").orElse("")) {
                case "work_request" -> requested(message);
                case "work_cancel" -> message.string("requestId").ifPresent(events::cancelled);
                case "call_answer" ->
                        message.string("callId")
                                .map(calls::get)
                                .ifPresent(call -> call.answer().complete(message));
                case "worker_registration_ack" -> registered.complete(message);
                case "leases" -> {
                    var leases = RenewAnswer.read(message);
                    leases.lost().forEach(lost -> events.lost(lost.leaseToken(), leases.why(lost)));
                    leases.cancel().forEach(events::cancelled);
                }
                case "drain_request" ->
                        LOG.atInfo()
                                .addKeyValue("orchestrator", orchestrator)
                                .addKeyValue("reason", message.string("reason").orElse(""))
                                .log("an operator drains this worker: it gets nothing more");
                case "error" ->
                        LOG.atWarn()
                                .addKeyValue("orchestrator", orchestrator)
                                .addKeyValue("about", message.string("about").orElse(""))
                                .addKeyValue("error", message.string("error").orElse(""))
                                .log("the orchestrator did not take a message");
                default -> {
                    // heartbeat_ack, and what later orchestrators send
                }
            }
        }

        private void requested(JsonObject message) {
            var id = message.string("requestId").orElse("");
            var isTaken = false;
            try {
                var task = message.get("task").orElse(JsonNull.NULL);
                isTaken = events.pushed(TaskAssignment.readAll(task).getFirst());
            } finally {
                var answer = isTaken ? "work_accepted" : "work_refused";
                var _ = connection.send(JsonText.write(about(answer, id).build()));
            }
        }

        private void ended(String cause) {
            ended.completeExceptionally(new IOException(cause));
            if (open == this) {
                open = null;
                hasBroken = true;
                events.broken(SocketTaskWire.this, cause);
            }
        }

        /// Closes the connection when the last answers have come, but for those of people.
        void leave() {
            var last =
                    calls.values().stream()
                            .filter(call -> call.operation() != WireOperation.QUESTION)
                            .map(Call::answer)
                            .toArray(CompletableFuture<?>[]::new);
            try {
                var _ =
                        CompletableFuture.anyOf(CompletableFuture.allOf(last), ended)
                                .get(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS);
            } catch (ExecutionException | TimeoutException e) {
                LOG.atDebug().setCause(e).log("the last answers did not come");
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            connection.close();
        }
    }
}
