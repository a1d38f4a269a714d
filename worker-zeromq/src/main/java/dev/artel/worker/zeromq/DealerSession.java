package dev.artel.worker.zeromq;

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
import dev.artel.protocol.ResultAnswer;
import dev.artel.protocol.TaskAssignment;
import dev.artel.protocol.TaskOutcome;
import dev.artel.protocol.TaskResult;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.WireEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One session with an orchestrator: from `READY` until it is left, is over there, or nothing comes any more. Safe for use by many
/// threads.
final class DealerSession implements DealerLoop.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(DealerSession.class);
    private static final Duration READY_AGAIN = Duration.ofSeconds(1);
    private static final Duration HELLO_AGAIN = Duration.ofMillis(250);
    private static final Duration RESULT_AGAIN = Duration.ofSeconds(2);
    private static final Duration REJECTED = Duration.ofSeconds(1);
    private static final long SMALLEST_MAX = 8L << 20;

    /// Room for the identity and the other frames beside an attachment.
    private static final int FRAMES = 16 << 10;

    private final DealerAddress address;
    private final String worker;
    private final WireEvents events;
    private final JsonObject ready;
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private final CompletableFuture<DealerMessage> welcome = new CompletableFuture<>();
    private final Map<DealerPort, CompletableFuture<DealerMessage>> greeted =
            Map.of(
                    DealerPort.TASKS, new CompletableFuture<>(),
                    DealerPort.RESULTS, new CompletableFuture<>());
    private final Map<String, CompletableFuture<DealerMessage>> calls = new ConcurrentHashMap<>();
    private final Map<String, CompletableFuture<DealerMessage>> results = new ConcurrentHashMap<>();
    private final Map<Long, CompletableFuture<DealerMessage>> beats = new ConcurrentHashMap<>();
    private final AtomicLong lastCall = new AtomicLong();
    private final AtomicLong lastBeat = new AtomicLong();
    private volatile JsonObject status = JsonObject.EMPTY;
    private volatile long heard = System.nanoTime();
    private volatile @Nullable Terms terms;
    private volatile @Nullable DealerLoop loop;
    private long beaten = System.nanoTime();

    /// What the orchestrator has set.
    private record Terms(String session, Duration interval, Duration silence, long maxBytes) {}

    DealerSession(DealerAddress address, String worker, WireEvents events, JsonObject ready) {
        this.address = address;
        this.worker = worker;
        this.events = events;
        this.ready = ready;
    }

    /// Opens the sockets.
    ///
    /// @param over takes why the session has ended by itself, once
    void begin(Consumer<String> over) {
        var _ = ended.thenAccept(over);
        loop = DealerLoop.start(address, worker, this);
    }

    /// Registers, and greets on the other sockets.
    OrchestratorResponse register(Duration timeout) throws IOException, InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        var answer =
                again(
                        "READY",
                        welcome,
                        READY_AGAIN,
                        until,
                        () -> send(DealerPort.REGISTRATION, "READY", ready, List.of()));
        if (answer.kind().equals("REJECT")) {
            var text = answer.text("code") + ": " + answer.text("message");
            var isFinal = answer.body().get("retryable").orElse(null) == JsonBoolean.FALSE;
            return ZeroMqTaskWire.refused(isFinal ? 403 : 503, text, isFinal ? null : REJECTED);
        }
        var set =
                new Terms(
                        answer.text("session"),
                        millis(answer, "heartbeat_interval_ms", 500),
                        millis(answer, "heartbeat_timeout_ms", 3_000),
                        count(answer, "max_message_bytes", SMALLEST_MAX));
        terms = set;
        revoke(answer);
        var hello =
                JsonObject.builder()
                        .put("worker_id", worker)
                        .put("instance", ready.string("instance").orElse(""))
                        .put("session", set.session())
                        .build();
        for (var port : List.of(DealerPort.TASKS, DealerPort.RESULTS)) {
            var _ =
                    again(
                            "HELLO",
                            greeted.getOrDefault(port, welcome),
                            HELLO_AGAIN,
                            until,
                            () -> send(port, "HELLO", hello, List.of()));
        }
        var body = JsonObject.builder().put("status", "registered");
        answer.body().get("lease_ms").ifPresent(lease -> body.put("lease_ms", lease));
        answer.body().get("warning").ifPresent(warning -> body.put("warning", warning));
        return new OrchestratorResponse(200, JsonText.write(body.build()), null);
    }

    private static Duration millis(DealerMessage message, String name, long otherwise) {
        return Duration.ofMillis(Math.max(10, count(message, name, otherwise)));
    }

    private static long count(DealerMessage message, String name, long otherwise) {
        return message.body()
                .number(name)
                .filter(JsonNumber::isLong)
                .map(JsonNumber::asLong)
                .orElse(otherwise);
    }

    private interface Sending {
        void send() throws IOException;
    }

    /// Sends something again and again until there is the answer.
    private DealerMessage again(
            String what,
            CompletableFuture<DealerMessage> answer,
            Duration pause,
            long until,
            Sending sending)
            throws IOException, InterruptedException {
        for (var wait = pause; ; wait = wait.multipliedBy(what.equals("RESULT") ? 2 : 1)) {
            sending.send();
            var left = until - System.nanoTime();
            if (left <= 0) {
                throw new IOException(what + ": no answer from " + address + " in time");
            }
            var found = await(what, answer, Duration.ofNanos(Math.min(left, wait.toNanos())));
            if (found != null) {
                return found;
            }
        }
    }

    /// The answer; null if there is none in time.
    private @Nullable DealerMessage await(
            String what, CompletableFuture<DealerMessage> answer, Duration longest)
            throws IOException, InterruptedException {
        try {
            var _ =
                    CompletableFuture.anyOf(answer, ended)
                            .get(longest.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException none) {
            return null;
        } catch (ExecutionException e) {
            throw new IOException(what + ": " + e.getCause(), e);
        }
        var found = answer.getNow(null);
        if (found == null) {
            throw new IOException(
                    what + ": there is no session with " + address + ": " + ended.getNow(""));
        }
        return found;
    }

    private void send(DealerPort port, String kind, JsonObject body, List<byte[]> attached)
            throws IOException {
        if (!offer(port, kind, body, attached)) {
            throw new IOException(
                    kind
                            + ": "
                            + (ended.isDone()
                                    ? "there is no session with "
                                            + address
                                            + ": "
                                            + ended.getNow("")
                                    : "too much waits to be sent to " + address));
        }
    }

    private boolean offer(DealerPort port, String kind, JsonObject body, List<byte[]> attached) {
        var open = loop;
        return open != null
                && !ended.isDone()
                && open.send(port, DealerMessage.frames(kind, body, attached));
    }

    private Terms terms() throws IOException {
        var set = terms;
        if (set == null) {
            throw new IOException("there is no session with " + address + " yet");
        }
        return set;
    }

    /// Reports how the worker stands; later heartbeats repeat it.
    OrchestratorResponse heartbeat(JsonObject reported, Duration timeout)
            throws IOException, InterruptedException {
        var without = JsonObject.builder();
        reported.members()
                .forEach((name, value) -> {
                    if (!name.equals("current_tasks")) {
                        without.put(name, value);
                    }
                });
        status = without.build();
        var seq = lastBeat.incrementAndGet();
        var answer = new CompletableFuture<DealerMessage>();
        beats.put(seq, answer);
        try {
            send(DealerPort.REGISTRATION, "HEARTBEAT", beat(terms(), seq), List.of());
            if (await("HEARTBEAT", answer, timeout) == null) {
                throw new IOException("HEARTBEAT: no answer from " + address + " in " + timeout);
            }
            return new OrchestratorResponse(200, new byte[0], null);
        } finally {
            beats.remove(seq);
        }
    }

    private JsonObject beat(Terms set, long seq) {
        return JsonObject.builder()
                .putAll(status)
                .put("worker_id", worker)
                .put("instance", ready.string("instance").orElse(""))
                .put("session", set.session())
                .put("seq", seq)
                .put("capacity", ready.get("capacity").orElse(JsonNull.NULL))
                .put("running", JsonArray.ofStrings(events.held()))
                .build();
    }

    /// Makes a call and waits for its answer.
    ///
    /// @param lease of the task that it is about; empty for none
    OrchestratorResponse call(String operation, String lease, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        if (body.length > DealerMessage.MAX_BODY - FRAMES) {
            return ZeroMqTaskWire.refused(413, "more than a message has room for", null);
        }
        var id = Long.toString(lastCall.incrementAndGet());
        var answer = new CompletableFuture<DealerMessage>();
        calls.put(id, answer);
        try {
            var value = body.length == 0 ? JsonObject.EMPTY : JsonText.readWritten(body);
            send(DealerPort.RESULTS, "CALL", call(id, operation, lease, value), List.of());
            var found = await(operation, answer, timeout);
            if (found == null) {
                throw new IOException(operation + ": no answer from " + address + " in " + timeout);
            }
            return response(found);
        } finally {
            calls.remove(id);
        }
    }

    private JsonObject call(String id, String operation, String lease, JsonValue body)
            throws IOException {
        var call =
                JsonObject.builder()
                        .put("call_id", id)
                        .put("op", operation)
                        .put("session", terms().session())
                        .put("body", body);
        if (!lease.isEmpty()) {
            call.put("lease_id", lease);
        }
        return call.build();
    }

    /// Makes a call whose answer nobody waits for.
    ///
    /// @return whether it is on its way
    boolean callWithoutAnswer(String operation, String lease, JsonObject body) {
        try {
            var id = Long.toString(lastCall.incrementAndGet());
            return offer(DealerPort.RESULTS, "CALL", call(id, operation, lease, body), List.of());
        } catch (IOException over) {
            return false;
        }
    }

    private static OrchestratorResponse response(DealerMessage answer) {
        if (answer.kind().equals("CALL_OK")) {
            var body = answer.bytes("body");
            return new OrchestratorResponse(body.length == 0 ? 204 : 200, body, null);
        }
        var wait =
                answer.body()
                        .number("retry_after_ms")
                        .filter(JsonNumber::isLong)
                        .map(millis -> Duration.ofMillis(Math.max(0, millis.asLong())))
                        .orElse(null);
        var code =
                switch (answer.text("code")) {
                    case "UNKNOWN_WORKER" -> 404;
                    case "BAD_TOKEN" -> 401;
                    case "TRY_LATER" -> wait == null ? 503 : 429;
                    default -> 400;
                };
        return ZeroMqTaskWire.refused(code, answer.text("message"), wait);
    }

    /// Reports results, and waits until each is answered.
    ///
    /// @param envelopes as over HTTP
    /// @param isBatch whether the answers are to be an array
    OrchestratorResponse results(List<JsonObject> envelopes, boolean isBatch, Duration timeout)
            throws IOException, InterruptedException {
        var until = System.nanoTime() + timeout.toNanos();
        var reports = new ArrayList<Report>();
        for (var envelope : envelopes) {
            reports.add(Report.of(envelope));
        }
        var most = terms().maxBytes() - FRAMES;
        if (reports.stream().anyMatch(report -> report.bytes() > most)) {
            return ZeroMqTaskWire.refused(413, "more than a message has room for", null);
        }
        for (var report : reports) {
            results.put(report.lease(), report.answer());
        }
        try {
            for (var report : reports) {
                report.send(this);
            }
            var answers = new ArrayList<ResultAnswer>();
            for (var report : reports) {
                var found = await("RESULT", report.answer(), RESULT_AGAIN);
                answers.add(
                        answer(
                                found != null
                                        ? found
                                        : again(
                                                "RESULT",
                                                report.answer(),
                                                RESULT_AGAIN.multipliedBy(2),
                                                until,
                                                () -> report.send(this))));
            }
            var body = isBatch ? ResultAnswer.toJson(answers) : answers.getFirst().toJson();
            return new OrchestratorResponse(200, JsonText.write(body), null);
        } finally {
            reports.forEach(report -> results.remove(report.lease(), report.answer()));
        }
    }

    private static ResultAnswer answer(DealerMessage acknowledged) {
        return switch (acknowledged.text("outcome")) {
            case "ACCEPTED", "DUPLICATE" -> new ResultAnswer("result_accepted_success", null);
            case "UNKNOWN" -> new ResultAnswer("ignored", "not_found");
            default -> new ResultAnswer("ignored", "stale");
        };
    }

    /// One result on its way.
    private record Report(
            String lease,
            JsonObject body,
            List<byte[]> attached,
            CompletableFuture<DealerMessage> answer) {
        static Report of(JsonObject envelope) {
            var result = TaskResult.read(envelope);
            var attached = new ArrayList<byte[]>();
            var body =
                    JsonObject.builder()
                            .put("task_id", result.taskId())
                            .put("lease_id", result.lease());
            switch (result.outcome()) {
                case TaskOutcome.Succeeded(var word, var data) -> {
                    var text = JsonText.write(data);
                    body.put("status", "COMPLETED").put("result_status", word);
                    // So that data that looks like the name of an attachment is none.
                    body.put("result", DealerMessage.reference());
                    attached.add(text);
                }
                case TaskOutcome.Stored(var word, var value) ->
                        body.put("status", "COMPLETED")
                                .put("result_status", word)
                                .put(
                                        "large_result",
                                        JsonObject.builder()
                                                .put("sha256", value.sha256())
                                                .put("bytes", value.bytes())
                                                .build());
                case TaskOutcome.Failed(var code, var message) ->
                        body.put("status", "FAILED").put("error", error(code, message));
                case TaskOutcome.CancelledByWorker _ -> body.put("status", "CANCELLED");
            }
            if (result.metrics() != null) {
                body.put("metrics", result.metrics());
            }
            return new Report(result.lease(), body.build(), attached, new CompletableFuture<>());
        }

        private static JsonObject error(String code, String message) {
            var category =
                    switch (code) {
                        case TaskOutcome.INVALID_INPUT_ERROR -> "BAD_PAYLOAD";
                        default -> "EXECUTION";
                    };
            return JsonObject.builder()
                    .put("category", category)
                    .put("message", message)
                    .put("retryable", code.equals(TaskOutcome.TRANSIENT_ERROR))
                    .build();
        }

        long bytes() {
            return attached.stream().mapToLong(frame -> frame.length).sum();
        }

        void send(DealerSession session) throws IOException {
            session.send(DealerPort.RESULTS, "RESULT", body, attached);
        }
    }

    @Override
    public void received(DealerPort port, List<byte[]> frames) {
        heard = System.nanoTime();
        try {
            DealerMessage.read(frames).ifPresent(message -> received(port, message));
        } catch (MalformedJson | MalformedMessage unreadable) {
            LOG.atWarn()
                    .addKeyValue("orchestrator", address)
                    .addKeyValue("cause", unreadable.getMessage())
                    .log("a message cannot be read; ignored");
        }
    }

    private void received(DealerPort port, DealerMessage message) {
        switch (message.kind()) {
            case "TASK" -> task(message);
            case "CANCEL" -> events.cancelled(message.text("lease_id"));
            case "WELCOME" -> welcome.complete(message);
            case "REJECT" -> rejected(message);
            case "HELLO_OK" -> {
                var greeting = greeted.get(port);
                if (greeting != null) {
                    greeting.complete(message);
                }
            }
            case "HEARTBEAT_ACK" -> {
                revoke(message);
                complete(beats.get(count(message, "seq", -1)), message);
            }
            case "REREGISTER" -> {
                if (terms != null) {
                    over("the orchestrator wants a new registration: " + message.text("reason"));
                }
            }
            case "RESULT_ACK" -> complete(results.get(message.text("lease_id")), message);
            case "CALL_OK", "CALL_FAILED" -> complete(calls.get(message.text("call_id")), message);
            case "SHUTDOWN" ->
                    LOG.atInfo()
                            .addKeyValue("orchestrator", address)
                            .addKeyValue("reason", message.text("reason"))
                            .log("an operator drains this worker: it gets nothing more");
            default -> {
                // What later orchestrators send.
            }
        }
    }

    private static void complete(
            @Nullable CompletableFuture<DealerMessage> waiting, DealerMessage answer) {
        if (waiting != null) {
            waiting.complete(answer);
        }
    }

    private void rejected(DealerMessage message) {
        if (!welcome.complete(message)) {
            LOG.atWarn()
                    .addKeyValue("orchestrator", address)
                    .addKeyValue("code", message.text("code"))
                    .addKeyValue("message", message.text("message"))
                    .log("the orchestrator did not take a message");
        }
    }

    private void revoke(DealerMessage message) {
        for (var lease : message.body().array("revoke").orElse(JsonArray.EMPTY)) {
            if (lease instanceof JsonString(var token)) {
                events.cancelled(token);
            }
        }
    }

    private void task(DealerMessage message) {
        var about =
                JsonObject.builder()
                        .put("task_id", message.text("task_id"))
                        .put("lease_id", message.text("lease_id"));
        var isTaken = false;
        try {
            isTaken = events.pushed(assignment(message));
        } finally {
            var _ =
                    isTaken
                            ? offer(DealerPort.TASKS, "ACCEPT", about.build(), List.of())
                            : offer(
                                    DealerPort.TASKS,
                                    "REFUSE",
                                    about.put("code", "NO_CAPACITY")
                                            .put("message", "the worker takes nothing now")
                                            .build(),
                                    List.of());
        }
    }

    /// The task in the form of HTTP, where the id of a hand-out is its lease.
    private static TaskAssignment assignment(DealerMessage message) {
        var json = JsonObject.builder().put("job_id", message.text("task_id"));
        for (var name :
                List.of(
                        "job_id",
                        "attempt",
                        "priority",
                        "deadline",
                        "lease_ms",
                        "tracing_context",
                        "large_values",
                        "answers")) {
            message.body().get(name).ifPresent(value -> json.put(name, value));
        }
        var params = message.bytes("kwargs");
        json.put("task_id", message.text("lease_id"))
                .put("lease_token", message.text("lease_id"))
                .put("type", message.text("function_id"))
                .put("params", params.length == 0 ? JsonObject.EMPTY : JsonText.read(params));
        return TaskAssignment.readAll(json.build()).getFirst();
    }

    /// Heartbeats are due, or nothing has come for too long.
    @Override
    public void tick() {
        var set = terms;
        if (set == null || ended.isDone()) {
            return;
        }
        var now = System.nanoTime();
        if (now - heard > set.silence().toNanos()) {
            over("nothing came for " + set.silence());
        } else if (now - beaten >= set.interval().toNanos()) {
            beaten = now;
            var seq = lastBeat.incrementAndGet();
            var _ = offer(DealerPort.REGISTRATION, "HEARTBEAT", beat(set, seq), List.of());
        }
    }

    /// Before there is a session nothing but the connection shows that the orchestrator does not take it. Later ZeroMQ connects again,
    /// and a session goes on.
    @Override
    public void disconnected(String cause) {
        if (!welcome.isDone()) {
            over(cause);
        }
    }

    private void over(String cause) {
        var open = loop;
        if (ended.complete(cause) && open != null) {
            open.close();
        }
    }

    /// Leaves the session.
    ///
    /// @param goesOn whether the worker goes on with its tasks elsewhere
    void leave(boolean goesOn) {
        var bye = JsonObject.builder().put("reason", "it leaves").put("keep_leases", goesOn);
        var set = terms;
        if (set != null) {
            bye.put("session", set.session());
        }
        var _ = offer(DealerPort.REGISTRATION, "BYE", bye.build(), List.of());
        end();
    }

    /// Closes the sockets, without a word.
    void end() {
        over("it was left");
    }
}
