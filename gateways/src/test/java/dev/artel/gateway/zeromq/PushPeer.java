package dev.artel.gateway.zeromq;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// A worker's sockets, which send what a test wants. One thread at a time.
final class PushPeer implements AutoCloseable {
    private static final Duration TIMEOUT = Await.longest();

    final String name;
    final String instance = UUID.randomUUID().toString();
    private final ZContext context;
    private final Map<WirePort, ZMQ.Socket> sockets = new EnumMap<>(WirePort.class);
    private final Map<WirePort, List<Received>> waiting = new EnumMap<>(WirePort.class);
    private String session = "";
    private long seq;

    /// What a worker receives.
    record Received(String kind, JsonObject body, List<byte[]> attachments) {
        String text(String name) {
            return body.string(name).orElse("");
        }

        List<String> texts(String name) {
            return body.array(name).orElse(JsonArray.EMPTY).stream()
                    .map(value -> ((JsonString) value).value())
                    .toList();
        }
    }

    /// How the sockets of a worker are made.
    interface Options {
        void apply(ZMQ.Socket socket);
    }

    PushPeer(ZeroMqConfig.Ports ports, String name) {
        this(ports, name, _ -> {});
    }

    PushPeer(ZeroMqConfig.Ports ports, String name, Options options) {
        this(ports, name, options, new ZContext(1));
    }

    /// One of many, which have their threads of the library together.
    PushPeer(ZeroMqConfig.Ports ports, String name, Options options, ZContext context) {
        this.name = name;
        this.context = context;
        context.setLinger(0);
        for (var port : WirePort.values()) {
            var socket = context.createSocket(SocketType.DEALER);
            socket.setIdentity(name.getBytes(UTF_8));
            // A connection of which the library loses sight is there again soon: BegunConnections.
            socket.setHandshakeIvl(3_000);
            options.apply(socket);
            socket.connect("tcp://127.0.0.1:" + ports.of(port));
            sockets.put(port, socket);
            waiting.put(port, new ArrayList<>());
        }
    }

    String session() {
        return session;
    }

    /// Goes on in another session.
    void inSession(String other) {
        session = other;
    }

    ZMQ.Socket socket(WirePort port) {
        return Objects.requireNonNull(sockets.get(port));
    }

    void send(WirePort port, String kind, JsonObject body) {
        sendFrames(port, PushFrames.write(kind, body));
    }

    void send(WirePort port, String kind, JsonObject body, List<byte[]> attachments) {
        sendFrames(port, PushFrames.write(kind, body, attachments));
    }

    void sendFrames(WirePort port, List<byte[]> frames) {
        var socket = socket(port);
        for (var index = 0; index < frames.size(); index++) {
            socket.send(frames.get(index), index < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    /// Waits for a message of `kind`; others that come before stay there.
    Received receive(WirePort port, String kind) {
        return receiveOneOf(port, List.of(kind));
    }

    /// Waits for a message of one of `kinds`; others that come before stay there.
    Received receiveOneOf(WirePort port, List<String> kinds) {
        var received = receive(port, kinds, TIMEOUT);
        if (received == null) {
            throw new AssertionError(
                    name + " waited " + TIMEOUT + " in vain for " + kinds + " on " + port);
        }
        return received;
    }

    @Nullable Received receive(WirePort port, String kind, Duration longest) {
        return receive(port, List.of(kind), longest);
    }

    private @Nullable Received receive(WirePort port, List<String> kinds, Duration longest) {
        var deadline = System.nanoTime() + longest.toNanos();
        var before = Objects.requireNonNull(waiting.get(port));
        while (true) {
            var found = before.stream().filter(one -> kinds.contains(one.kind())).findFirst();
            if (found.isPresent()) {
                before.remove(found.get());
                return found.get();
            }
            var left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            if (left <= 0) {
                return null;
            }
            var next = next(port, (int) left);
            if (next != null) {
                before.add(next);
            }
        }
    }

    /// Whether a message of `kind` came before those that were waited for.
    boolean received(WirePort port, String kind) {
        return Objects.requireNonNull(waiting.get(port)).stream()
                .anyMatch(one -> one.kind().equals(kind));
    }

    /// The next message; null if none comes in time.
    @Nullable Received next(WirePort port, int millis) {
        var socket = socket(port);
        socket.setReceiveTimeOut(millis);
        var first = socket.recv();
        if (first == null) {
            return null;
        }
        var frames = new ArrayList<byte[]>();
        frames.add(first);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv());
        }
        return new Received(
                new String(frames.get(2), US_ASCII),
                (JsonObject) JsonText.read(frames.get(3)),
                frames.subList(4, frames.size()));
    }

    JsonObject ready(int capacity) {
        return JsonObject.builder()
                .put("worker_id", name)
                .put("instance", instance)
                .put("capacity", capacity)
                .put("token", ZeroMqServer.TOKEN)
                .put("task_types", JsonArray.ofStrings(List.of("echo")))
                .put("running", JsonArray.EMPTY)
                .build();
    }

    /// Registers, and greets on the other sockets.
    Received join(int capacity) {
        return join(ready(capacity));
    }

    Received join(JsonObject ready) {
        var welcome = welcome(ready);
        greet();
        return welcome;
    }

    Received welcome(JsonObject ready) {
        send(WirePort.REGISTRATION, "READY", ready);
        var welcome = receive(WirePort.REGISTRATION, "WELCOME");
        session = welcome.text("session");
        return welcome;
    }

    void greet() {
        hello(WirePort.TASKS);
        hello(WirePort.RESULTS);
        receive(WirePort.TASKS, "HELLO_OK");
        receive(WirePort.RESULTS, "HELLO_OK");
    }

    void hello(WirePort port) {
        send(port, "HELLO", inSession(JsonObject.EMPTY));
    }

    JsonObject inSession(JsonObject more) {
        return JsonObject.builder()
                .put("worker_id", name)
                .put("instance", instance)
                .put("session", session)
                .build()
                .merge(more);
    }

    /// Sends a heartbeat and waits for its answer.
    Received beat(long idle, String... running) {
        heartbeat(idle, running);
        return receive(WirePort.REGISTRATION, "HEARTBEAT_ACK");
    }

    void heartbeat(long idle, String... running) {
        var beat =
                JsonObject.builder()
                        .put("seq", ++seq)
                        .put("capacity", 1)
                        .put("idle", idle)
                        .put("running", JsonArray.ofStrings(List.of(running)))
                        .build();
        send(WirePort.REGISTRATION, "HEARTBEAT", inSession(beat));
    }

    Received task() {
        return receive(WirePort.TASKS, "TASK");
    }

    void accept(Received task) {
        send(WirePort.TASKS, "ACCEPT", about(task));
    }

    void refuse(Received task, String code) {
        send(WirePort.TASKS, "REFUSE", about(task).with("code", new JsonString(code)));
    }

    static JsonObject about(Received task) {
        return JsonObject.of(
                "task_id",
                new JsonString(task.text("task_id")),
                "lease_id",
                new JsonString(task.text("lease_id")));
    }

    static JsonObject completed(Received task, JsonValue result) {
        return about(task)
                .with("attempt", task.body().get("attempt").orElseThrow())
                .with("status", new JsonString("COMPLETED"))
                .with("result", result);
    }

    /// Reports a result and waits for the answer.
    String report(JsonObject result) {
        send(WirePort.RESULTS, "RESULT", result);
        return receive(WirePort.RESULTS, "RESULT_ACK").text("outcome");
    }

    String succeed(Received task) {
        return report(completed(task, JsonObject.of("by", new JsonString(name))));
    }

    @Override
    public void close() {
        context.close();
    }
}
