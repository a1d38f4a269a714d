package dev.artel.gateway.websocket;

import dev.artel.gateway.access.WorkerAuthentication;
import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.TaskLog;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WireAnswer;
import dev.artel.testkit.transport.WireAnswer.Kind;
import dev.artel.testkit.transport.WorkerWire;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Workers that speak by calls over real WebSockets, one for each worker.
final class SocketWire implements WorkerWire.OfBytes {
    private static final Duration STEP = Duration.ofSeconds(1);

    /// With so many messages that are none a connection ends.
    private static final int VIOLATIONS = 3;

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Map<String, SocketClient> clients = new LinkedHashMap<>();
    private final Map<SocketClient, Integer> violations = new HashMap<>();
    private final SocketGatewayConfig config;
    private final WorkerAuthentication authentication;
    private final WorkerLimits limits;
    private SocketServer server;

    SocketWire() {
        this(SocketGatewayConfig.DEFAULTS);
    }

    SocketWire(SocketGatewayConfig config) {
        this(config, WorkerTokens.shared(SocketServer.TOKEN));
    }

    SocketWire(SocketGatewayConfig config, WorkerAuthentication authentication) {
        this(config, authentication, WorkerLimits.NONE);
    }

    SocketWire(
            SocketGatewayConfig config, WorkerAuthentication authentication, WorkerLimits limits) {
        this.config = config;
        this.authentication = authentication;
        this.limits = limits;
        server = start(FreePort.next());
    }

    int port() {
        return server.port;
    }

    WebSocketWorkerGateway gateway() {
        return server.gateway;
    }

    private SessionShell.ProgressListener listener() {
        return new SessionShell.ProgressListener() {
            @Override
            public void progressed(
                    WorkerId worker, LeaseToken token, double fraction, String message) {
                heard.add(worker + " " + fraction + " " + message);
            }

            @Override
            public void logged(WorkerId worker, LeaseToken token, List<TaskLog.Line> lines) {
                lines.forEach(
                        line -> heard.add(worker + " " + line.level() + " " + line.message()));
            }
        };
    }

    private SocketServer start(int port) {
        var started = new SocketServer(port, clock, authentication, limits, listener(), config);
        started.shell.recall(engine.registrations());
        started.connect(engine, engine::connect);
        return started;
    }

    @Override
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public ReferenceEngine engine() {
        return engine;
    }

    @Override
    public void advance(Duration time) {
        for (var left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            engine.expire();
            server.shell.tick();
        }
    }

    @Override
    public void restart() {
        var port = server.port;
        server.close();
        // What is sent before the end has arrived here is lost, and has no answer.
        clients.values().stream().filter(SocketClient::reads).forEach(SocketClient::closed);
        server = start(port);
    }

    @Override
    public void close() {
        clients.values().forEach(SocketClient::close);
        server.close();
    }

    @Override
    public Peer peer(String workerId) {
        return new SocketPeer(workerId);
    }

    @Override
    public int largestMessage() {
        return config.limits().maxMessageBytes();
    }

    /// In a call: what is no JSON as its body makes the whole message none. A connection that was closed for it opens again.
    @Override
    public WireAnswer resultOf(String workerId, byte[] bytes) {
        var client = client(workerId);
        var answered = client.callWith("result", bytes).thenApply(SocketWire::answer);
        var ended = client.end().thenApply(_ -> WireAnswer.of(Kind.REFUSED));
        var answer = SocketClient.await(answered.applyToEither(ended, first -> first));
        if (!isJson(bytes) && violations.merge(client, 1, Integer::sum) == VIOLATIONS) {
            var _ = client.closed();
        }
        return answer;
    }

    private static boolean isJson(byte[] bytes) {
        try {
            return JsonText.read(bytes) != null;
        } catch (MalformedJson none) {
            return false;
        }
    }

    @Override
    public Poll pollWithoutReading(String workerId) {
        var client = client(workerId);
        client.readNothingMore();
        return new SocketPoll(client, client.call("poll", JsonObject.EMPTY));
    }

    /// The connection of a worker, which opens again after it was closed.
    private SocketClient client(String worker) {
        var open = clients.get(worker);
        if (open == null || open.isClosed()) {
            var polls = SocketClient.texts("delivery", "poll");
            open =
                    SocketClient.open(server.port)
                            .register(
                                    SocketClient.with(
                                            SocketClient.registration(worker, 1),
                                            JsonObject.of("artel", polls)));
            clients.put(worker, open);
        }
        return open;
    }

    private static WireAnswer answer(JsonObject message) {
        var status = (int) message.number("status").orElseThrow().asLong();
        var body = message.get("body").orElse(JsonNull.NULL);
        var kind =
                switch (status) {
                    case 200 -> Kind.TAKEN;
                    case 204 -> Kind.NOTHING;
                    case 400 -> Kind.REFUSED;
                    case 403 -> Kind.FORBIDDEN;
                    case 404 -> Kind.UNKNOWN_WORKER;
                    case 413 -> Kind.TOO_LARGE;
                    case 429, 503 -> Kind.LATER;
                    default -> throw new AssertionError("status " + status + ": " + body);
                };
        return new WireAnswer(kind, body instanceof JsonNull ? JsonArray.EMPTY : body);
    }

    private final class SocketPeer implements Peer {
        private final String id;

        private SocketPeer(String id) {
            this.id = id;
        }

        private WireAnswer call(String method, JsonValue body) {
            return answer(SocketClient.await(client(id).call(method, body)));
        }

        @Override
        public WireAnswer register(JsonValue registration) {
            return call("register", registration);
        }

        @Override
        public WireAnswer heartbeat(@Nullable JsonValue heartbeat) {
            return call("heartbeat", heartbeat == null ? JsonNull.NULL : heartbeat);
        }

        @Override
        public Poll poll(int max) {
            return poll(max == 0 ? JsonObject.EMPTY : JsonObject.of("max", JsonNumber.of(max)));
        }

        @Override
        public Poll poll(List<String> available, List<String> hot, Duration timeout) {
            return poll(
                    JsonObject.builder()
                            .put("available_skills", JsonArray.ofStrings(available))
                            .put("hot_skills", JsonArray.ofStrings(hot))
                            .put("timeout", timeout.toSeconds())
                            .build());
        }

        private Poll poll(JsonObject body) {
            var before = engine.asks(id);
            var client = client(id);
            var poll = new SocketPoll(client, client.call("poll", body));
            if (engine.worker(id).isPresent()) {
                engine.await("the poll asks", () -> engine.asks(id) > before || poll.isAnswered());
            }
            return poll;
        }

        @Override
        public WireAnswer event(JsonValue event) {
            return call("event", event);
        }

        @Override
        public WireAnswer result(JsonValue result) {
            return call("result", result);
        }

        @Override
        public WireAnswer results(JsonValue batch) {
            return call("results", batch);
        }

        @Override
        public WireAnswer renew(JsonValue renewal) {
            return call("renew", renewal);
        }

        @Override
        public WireAnswer ask(String task, JsonValue question) {
            return call("question", ((JsonObject) question).with("task_id", new JsonString(task)));
        }

        @Override
        public WireAnswer release(JsonValue release) {
            return call("release", release);
        }

        @Override
        public WireAnswer drain() {
            return call("drain", JsonObject.EMPTY);
        }

        @Override
        public WireAnswer disconnect() {
            return call("disconnect", JsonObject.EMPTY);
        }
    }

    private record SocketPoll(SocketClient client, CompletableFuture<JsonObject> call)
            implements Poll {
        @Override
        public WireAnswer answer() {
            return SocketWire.answer(SocketClient.await(call));
        }

        @Override
        public boolean isAnswered() {
            return call.isDone();
        }

        @Override
        public void hangUp() {
            client.close();
        }
    }
}
