package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WireAnswer;
import dev.artel.testkit.transport.WireAnswer.Kind;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Workers that make calls over ZeroMQ, outside of sessions. One thread at a time.
final class CallWire implements WorkerWire.OfBytes {
    private static final Duration TIMEOUT = Await.longest();
    private static final Duration STEP = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final ZeroMqServer server =
            new ZeroMqServer(
                    ZeroMqConfig.DEFAULTS.withPorts(ZeroMqConfig.Ports.FREE),
                    clock,
                    WorkerTokens.shared(ZeroMqServer.TOKEN));
    private final Map<String, PushPeer> sockets = new HashMap<>();
    private final Map<String, PushPeer.Received> answers = new HashMap<>();
    private long calls;

    @Override
    public ReferenceEngine engine() {
        return server.engine;
    }

    @Override
    public List<String> heard() {
        return List.copyOf(server.heard);
    }

    @Override
    public void advance(Duration time) {
        for (var left = time; left.isPositive(); left = left.minus(STEP)) {
            clock.advance(left.compareTo(STEP) < 0 ? left : STEP);
            server.engine.expire();
            server.session().tick();
        }
    }

    /// Workers connect anew: what a socket sends before it has noticed that its connection is gone is lost.
    @Override
    public void restart() {
        sockets.values().forEach(PushPeer::close);
        sockets.clear();
        server.restart();
    }

    @Override
    public void close() {
        sockets.values().forEach(PushPeer::close);
        server.close();
    }

    @Override
    public Peer peer(String workerId) {
        return new CallPeer(workerId);
    }

    @Override
    public int largestMessage() {
        return PushFrames.MAX_BODY;
    }

    @Override
    public WireAnswer resultOf(String workerId, byte[] bytes) {
        var peer = new CallPeer(workerId);
        var call = "call-" + ++calls;
        var head =
                "{\"call_id\":\"%s\",\"op\":\"result\",\"token\":\"%s\",\"body\":"
                        .formatted(call, ZeroMqServer.TOKEN);
        var frames = new ArrayList<>(PushFrames.write("CALL", JsonObject.EMPTY));
        var body = new ByteArrayOutputStream();
        body.writeBytes(head.getBytes(UTF_8));
        body.writeBytes(bytes);
        body.write('}');
        frames.set(frames.size() - 1, body.toByteArray());
        socketsOf(workerId).sendFrames(WirePort.RESULTS, frames);
        return peer.answer(call);
    }

    /// Its socket gets the answer, and nobody asks the socket for it.
    @Override
    public Poll pollWithoutReading(String workerId) {
        var peer = new CallPeer(workerId);
        return new CallPoll(peer, peer.send("poll", "", JsonObject.EMPTY));
    }

    /// ZeroMQ keeps what is not read, and does not report it.
    @Override
    public Duration comesBackWithin() {
        return Duration.ofMinutes(3);
    }

    private PushPeer socketsOf(String worker) {
        return sockets.computeIfAbsent(worker, name -> new PushPeer(server.ports(), name));
    }

    private final class CallPeer implements Peer {
        private final String id;

        private CallPeer(String id) {
            this.id = id;
        }

        private String send(String operation, String lease, @Nullable JsonValue body) {
            var call = "call-" + ++calls;
            var message =
                    JsonObject.builder()
                            .put("call_id", call)
                            .put("op", operation)
                            .put("token", ZeroMqServer.TOKEN)
                            .put("lease_id", lease)
                            .put("body", body == null ? JsonNull.NULL : body)
                            .build();
            socketsOf(id).send(WirePort.RESULTS, "CALL", message);
            return call;
        }

        private WireAnswer call(String operation, @Nullable JsonValue body) {
            return answer(send(operation, "", body));
        }

        private WireAnswer answer(String call) {
            var deadline = System.nanoTime() + TIMEOUT.toNanos();
            while (!isAnswered(call, 50)) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError("no answer to " + call + " of " + id);
                }
            }
            return answerOf(answers.get(call));
        }

        private boolean isAnswered(String call, int millis) {
            var next = socketsOf(id).next(WirePort.RESULTS, millis);
            if (next != null) {
                answers.put(next.text("call_id"), next);
            }
            return answers.containsKey(call);
        }

        @Override
        public WireAnswer register(JsonValue registration) {
            return call("register", registration);
        }

        @Override
        public WireAnswer heartbeat(@Nullable JsonValue heartbeat) {
            return call("heartbeat", heartbeat);
        }

        @Override
        public Poll poll(int max) {
            return poll(JsonObject.of("max", JsonValue.of(max)));
        }

        @Override
        public Poll poll(List<String> available, List<String> hot, Duration timeout) {
            var body =
                    JsonObject.builder()
                            .put("available_skills", JsonArray.ofStrings(available))
                            .put("timeout_ms", timeout.toMillis());
            return poll(
                    hot.isEmpty()
                            ? body.build()
                            : body.put("hot_skills", JsonArray.ofStrings(hot)).build());
        }

        private Poll poll(JsonObject body) {
            var before = engine().asks(id);
            var poll = new CallPoll(this, send("poll", "", body));
            if (engine().worker(id).isPresent()) {
                engine().await(
                                "the poll asks",
                                () -> engine().asks(id) > before || poll.isAnswered());
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
            return answer(send("question", task, question));
        }

        @Override
        public WireAnswer release(JsonValue release) {
            return call("release", release);
        }

        @Override
        public WireAnswer drain() {
            return call("drain", null);
        }

        @Override
        public WireAnswer disconnect() {
            return call("disconnect", null);
        }
    }

    private final class CallPoll implements Poll {
        private final CallPeer peer;
        private final String call;

        private CallPoll(CallPeer peer, String call) {
            this.peer = peer;
            this.call = call;
        }

        @Override
        public WireAnswer answer() {
            return peer.answer(call);
        }

        @Override
        public boolean isAnswered() {
            return peer.isAnswered(call, 1);
        }

        @Override
        public void hangUp() {
            var connection = sockets.remove(peer.id);
            if (connection != null) {
                connection.close();
            }
        }
    }

    private static WireAnswer answerOf(PushPeer.@Nullable Received received) {
        if (received == null) {
            throw new AssertionError("there is no answer");
        }
        if (received.kind().equals("CALL_OK")) {
            var body = received.body().get("body").orElseThrow();
            if (!received.attachments().isEmpty()) {
                body = JsonText.read(received.attachments().getFirst());
            }
            return body == JsonNull.NULL
                    ? WireAnswer.of(Kind.NOTHING)
                    : new WireAnswer(Kind.TAKEN, body);
        }
        var kind =
                switch (received.text("code")) {
                    case "UNKNOWN_WORKER" -> Kind.UNKNOWN_WORKER;
                    case "BAD_TOKEN" -> Kind.FORBIDDEN;
                    case "BAD_CALL", "BAD_FRAME" -> Kind.REFUSED;
                    case "TRY_LATER" -> Kind.LATER;
                    case String other -> throw new AssertionError("code " + other);
                };
        return new WireAnswer(kind, new JsonString(received.text("message")));
    }
}
