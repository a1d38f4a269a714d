package dev.artel.worker.zeromq;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.protocol.Progress;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// `PUSH/1` over ZeroMQ: tasks are pushed, results are answered one by one, all else are calls. Safe for use by many threads.
final class ZeroMqTaskWire implements TaskWire {
    private static final int MOST_AT_ONCE = 10_000;
    private static final byte[] NOTHING = new byte[0];

    private final WireAddress address;
    private final DealerAddress dealers;
    private final WireEvents events;
    private final ReentrantLock registering = new ReentrantLock();
    private volatile @Nullable DealerSession session;

    ZeroMqTaskWire(WireAddress address, DealerAddress dealers, WireEvents events) {
        this.address = address;
        this.dealers = dealers;
        this.events = events;
    }

    @Override
    public String name() {
        return "zeromq";
    }

    @Override
    public boolean pushes() {
        return true;
    }

    /// ZeroMQ itself connects in silence, for as long as it takes.
    @Override
    public void probe(Duration timeout) throws IOException {
        for (var port : DealerPort.values()) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(dealers.host(), dealers.port(port)),
                        (int) Math.min(5_000, timeout.toMillis()));
            }
        }
    }

    @Override
    public OrchestratorResponse register(
            JsonObject introduction, List<String> held, Duration timeout)
            throws IOException, InterruptedException {
        registering.lockInterruptibly();
        try {
            if (dealers.curve().isEmpty()) {
                // An orchestrator that encrypts lets in few connections a second, and the first one
                // of ZeroMQ shows whether it is there.
                probe(timeout);
            }
            drop();
            var begun =
                    new DealerSession(
                            dealers, address.workerId(), events, ready(introduction, held));
            session = begun;
            begun.begin(ended -> broken(begun, ended));
            var answer = begun.register(timeout);
            if (answer.status() != 200) {
                drop();
            }
            return answer;
        } catch (IOException | InterruptedException e) {
            drop();
            throw e;
        } finally {
            registering.unlock();
        }
    }

    private void drop() {
        var begun = session;
        session = null;
        if (begun != null) {
            begun.end();
        }
    }

    private void broken(DealerSession ended, String cause) {
        if (ended.equals(session)) {
            session = null;
            events.broken(this, cause);
        }
    }

    private JsonObject ready(JsonObject introduction, List<String> held) {
        var capacity = introduction.number("max_concurrent_tasks").map(JsonNumber::asLong);
        var running =
                held.stream()
                        .map(lease ->
                                (JsonValue)
                                        JsonObject.of(
                                                "task_id",
                                                new JsonString(lease),
                                                "lease_id",
                                                new JsonString(lease)))
                        .toList();
        var ready =
                JsonObject.builder()
                        .putAll(introduction)
                        .put("worker_id", address.workerId())
                        .put("capacity", Math.clamp(capacity.orElse(1L), 1, MOST_AT_ONCE))
                        .put("keep_leases", true)
                        .put("running", new JsonArray(running));
        if (!address.token().isEmpty()) {
            ready.put("token", address.token());
        }
        if (address.inline() >= 0) {
            ready.put("inline_bytes", address.inline());
        }
        return ready.build();
    }

    private DealerSession open() throws IOException {
        var open = session;
        if (open == null) {
            throw new IOException("there is no session with " + dealers);
        }
        return open;
    }

    @Override
    public OrchestratorResponse send(
            WireOperation operation, String taskId, byte[] body, Duration timeout)
            throws IOException, InterruptedException {
        var open = open();
        return switch (operation) {
            case HEARTBEAT -> open.heartbeat(object(body), timeout);
            case RESULT -> open.results(List.of(object(body)), false, timeout);
            case RESULTS ->
                    open.results(
                            object(body).array("results").orElse(JsonArray.EMPTY).values().stream()
                                    .map(JsonObject.class::cast)
                                    .toList(),
                            true,
                            timeout);
            case RENEW -> open.call("renew", "", body, timeout);
            case RELEASE -> open.call("release", "", body, timeout);
            case LOG -> open.call("log", taskId, body, timeout);
            case QUESTION -> open.call("question", taskId, body, timeout);
            case DRAIN -> open.call("drain", "", NOTHING, timeout);
            case DISCONNECT -> {
                session = null;
                open.leave(false);
                yield new OrchestratorResponse(204, NOTHING, null);
            }
        };
    }

    private static JsonObject object(byte[] body) {
        return body.length > 0 && JsonText.readWritten(body) instanceof JsonObject object
                ? object
                : JsonObject.EMPTY;
    }

    @Override
    public boolean send(Progress progress) {
        var open = session;
        if (open == null || !Double.isFinite(progress.fraction())) {
            return false;
        }
        var body =
                JsonObject.of(
                        "progress",
                        JsonValue.of(progress.fraction()),
                        "message",
                        new JsonString(progress.message()));
        return open.callWithoutAnswer("progress", progress.lease(), body);
    }

    /// The worker has registered elsewhere: the orchestrator is not to take its tasks for lost.
    @Override
    public void leave() {
        var open = session;
        session = null;
        if (open != null) {
            open.leave(true);
        }
    }

    @Override
    public void close() {
        drop();
    }

    @Override
    public String toString() {
        return dealers.toString();
    }

    static OrchestratorResponse refused(int status, String text, @Nullable Duration retryAfter) {
        var body = JsonObject.of("error", new JsonString(text)).toString();
        return new OrchestratorResponse(status, body.getBytes(UTF_8), retryAfter);
    }
}
