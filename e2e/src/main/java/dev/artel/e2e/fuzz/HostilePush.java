package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// The three sockets of a worker over ZeroMQ: hostile messages of all kinds, frames that are none, and bytes that are no ZeroMQ. Each message that is none is answered
/// by `REJECT` with its code.
final class HostilePush implements HostileLane {
    /// How many messages are sent before all of them must have been looked at; fewer than may wait of a worker.
    private static final int ROUND = 50;

    private static final int TIMEOUT_MILLIS = 40_000;
    private static final byte[] EMPTY = {};
    private static final byte[] TAG = "PUSH/1".getBytes(US_ASCII);

    private static final List<String> OPERATIONS =
            List.of(
                    "progress",
                    "log",
                    "renew",
                    "release",
                    "result",
                    "results",
                    "event",
                    "register",
                    "heartbeat",
                    "drain",
                    "poll",
                    "no-such-call");

    private final ServerUnderFuzz.Address address;
    private final HostileJson json;
    private final SplittableRandom random;
    private final FuzzFindings findings;
    private final Tally tally;
    private final ZContext context = new ZContext(1);
    private final Map<Port, ZMQ.Socket> sockets = new EnumMap<>(Port.class);
    private String session = "";
    private int rounds;

    private enum Port {
        REGISTRATION,
        TASKS,
        RESULTS
    }

    HostilePush(
            ServerUnderFuzz.Address address, HostileJson json, FuzzFindings findings, Tally tally) {
        this.address = address;
        this.json = json;
        this.random = json.random();
        this.findings = findings;
        this.tally = tally;
        context.setLinger(0);
        for (var port : Port.values()) {
            connect(port);
        }
    }

    private void connect(Port port) {
        var socket = context.createSocket(SocketType.DEALER);
        var _ = socket.setIdentity(json.ownId().getBytes(UTF_8));
        var _ = socket.setReceiveTimeOut(TIMEOUT_MILLIS);
        // A connection of which the library loses sight is there again soon: BegunConnections.
        var _ = socket.setHandshakeIvl(3_000);
        var _ = socket.connect("tcp://127.0.0.1:" + number(port));
        sockets.put(port, socket);
    }

    private int number(Port port) {
        return switch (port) {
            case REGISTRATION -> address.registration();
            case TASKS -> address.tasks();
            case RESULTS -> address.results();
        };
    }

    private ZMQ.Socket socket(Port port) {
        var socket = sockets.get(port);
        if (socket == null) {
            throw new IllegalStateException("no socket for " + port);
        }
        return socket;
    }

    @Override
    public int fire() throws IOException {
        if (random.nextInt(20) == 0) {
            stranger();
            return 1;
        }
        if (random.nextInt(200) == 0) {
            anew(json.pick(List.of(Port.values())));
        }
        var refused = new EnumMap<Port, Integer>(Port.class);
        if (session.isEmpty() || random.nextInt(10) == 0) {
            join();
        }
        for (var i = 0; i < ROUND; i++) {
            one(refused);
        }
        for (var port : Port.values()) {
            sync(port, refused.getOrDefault(port, 0));
        }
        return ROUND;
    }

    /// Registers as its own worker, so that frames after that are those of a worker that is there.
    private void join() throws IOException {
        send(Port.REGISTRATION, message("READY", JsonText.write(own())));
        sync(Port.REGISTRATION, 0);
        for (var port : List.of(Port.TASKS, Port.RESULTS)) {
            send(port, message("HELLO", JsonText.write(inSession().build())));
            sync(port, 0);
        }
    }

    private void one(Map<Port, Integer> refused) {
        var port = json.pick(List.of(Port.values()));
        switch (random.nextInt(10)) {
            case 0 -> {
                send(port, noMessage());
                refused.merge(port, 1, Integer::sum);
            }
            case 1 -> {
                send(port, message("N" + random.nextInt(1_000), json.of(ready())));
                refused.merge(port, 1, Integer::sum);
            }
            case 2 -> send(port, attached(port));
            default -> {
                var kind = kind(port);
                send(port, message(kind, json.of(body(kind))));
            }
        }
    }

    /// Frames of which none is a message of `PUSH/1`.
    private List<byte[]> noMessage() {
        var body = JsonText.write(ready());
        return switch (random.nextInt(9)) {
            case 0 -> List.of(json.drawn(random.nextInt(60)));
            case 1 -> List.of(EMPTY, TAG);
            case 2 -> List.of(EMPTY, TAG, "READY".getBytes(US_ASCII));
            case 3 -> List.of(EMPTY, "PUSH/2".getBytes(US_ASCII), "READY".getBytes(US_ASCII), body);
            case 4 -> List.of("x".getBytes(US_ASCII), TAG, "READY".getBytes(US_ASCII), body);
            case 5 -> List.of(EMPTY, TAG, "ready".getBytes(US_ASCII), body);
            case 6 ->
                    message(
                            "READY",
                            json.pick(
                                            List.of(
                                                    "null",
                                                    "[]",
                                                    "7",
                                                    "{",
                                                    "",
                                                    "\"a\"",
                                                    "[".repeat(20_000)))
                                    .getBytes(UTF_8));
            case 7 -> {
                var frames = new ArrayList<>(message("READY", body));
                for (var i = random.nextInt(1, 100); i > 0; i--) {
                    frames.add(json.drawn(3));
                }
                yield frames;
            }
            default -> message("READY", new byte[(1 << 20) + 1]);
        };
    }

    private List<byte[]> attached(Port port) {
        var kind = kind(port);
        var count = random.nextInt(4);
        var body =
                body(kind)
                        .with("attachments", JsonValue.of(random.nextInt(8) == 0 ? -1 : count))
                        .with("result", random.nextInt(4) == 0 ? manyPlaces() : frame());
        var frames = new ArrayList<>(message(kind, json.of(body)));
        for (var i = 0; i < count; i++) {
            frames.add(json.of(JsonObject.of("a", JsonValue.of(1))));
        }
        return frames;
    }

    private JsonObject frame() {
        return JsonObject.of("$frame", JsonValue.of(random.nextInt(-1, 4)));
    }

    /// The same attachments again and again, so that the value is larger than all that was sent.
    private JsonObject manyPlaces() {
        var places = JsonObject.builder();
        for (var i = random.nextInt(2, 2_000); i > 0; i--) {
            places.put("place" + i, frame());
        }
        return places.build();
    }

    private String kind(Port port) {
        return json.pick(
                switch (port) {
                    case REGISTRATION ->
                            random.nextInt(60) == 0
                                    ? List.of("DRAIN", "BYE")
                                    : List.of("READY", "HEARTBEAT", "HEARTBEAT");
                    case TASKS -> List.of("HELLO", "HELLO", "ACCEPT", "ACCEPT", "REFUSE");
                    case RESULTS -> List.of("HELLO", "RESULT", "RESULT", "RESULT", "CALL", "CALL");
                });
    }

    private JsonObject ready() {
        return own().with("instance", new JsonString(random.nextInt(3) == 0 ? "two" : "one"));
    }

    private JsonObject own() {
        return JsonObject.builder()
                .put("worker_id", json.ownId())
                .put("instance", "one")
                .put("capacity", 2)
                .put("token", json.ownToken())
                .put("labels", JsonObject.of("zone", new JsonString("a")))
                .put("task_types", JsonArray.ofStrings(List.of("noop", "echo")))
                .put("running", JsonArray.of(about().build()))
                .put("inline_bytes", 100)
                .put("lease_ms", 2_000)
                .build();
    }

    private JsonObject.Builder about() {
        var lease = json.lease();
        return JsonObject.builder().put("task_id", lease).put("lease_id", lease);
    }

    private JsonObject.Builder inSession() {
        return JsonObject.builder()
                .put("worker_id", json.ownId())
                .put("instance", "one")
                .put("session", random.nextInt(20) == 0 ? "no-session" : session);
    }

    private JsonObject body(String kind) {
        return switch (kind) {
            case "READY" ->
                    ready().with("worker_id", new JsonString(json.id()))
                            .with("token", new JsonString(json.token()));
            case "HEARTBEAT" ->
                    inSession()
                            .put("worker_id", random.nextInt(5) == 0 ? json.id() : json.ownId())
                            .put("seq", random.nextInt(1_000))
                            .put("capacity", 2)
                            .put("idle", 2)
                            .put("running", JsonArray.ofStrings(List.of(json.lease())))
                            .put("status", "idle")
                            .build();
            case "DRAIN", "BYE" ->
                    inSession()
                            .put("reason", "none")
                            .put("grace_ms", 1)
                            .put("abandoned", JsonArray.EMPTY)
                            .build();
            case "HELLO" -> inSession().build();
            case "ACCEPT" -> about().build();
            case "REFUSE" ->
                    about().put(
                                    "code",
                                    json.pick(
                                            List.of(
                                                    "NO_CAPACITY",
                                                    "UNKNOWN_FUNCTION",
                                                    "BAD_PAYLOAD",
                                                    "ODD")))
                            .put("message", "no")
                            .build();
            case "RESULT" ->
                    about().put("attempt", 1)
                            .put(
                                    "status",
                                    json.pick(List.of("COMPLETED", "FAILED", "CANCELLED", "ODD")))
                            .put("result", JsonObject.of("n", JsonValue.of(1)))
                            .put("metrics", HostileJson.METRICS)
                            .put(
                                    "error",
                                    JsonObject.of(
                                            "error_type",
                                            new JsonString("E"),
                                            "category",
                                            new JsonString("EXECUTION")))
                            .put(
                                    "large_result",
                                    JsonObject.of(
                                            "sha256",
                                            new JsonString("0".repeat(64)),
                                            "bytes",
                                            JsonValue.of(7)))
                            .build();
            default ->
                    about().put("call_id", "c" + random.nextInt(100))
                            .put("op", json.pick(OPERATIONS))
                            .put("session", random.nextBoolean() ? session : "")
                            .put("token", json.token())
                            .put("body", call())
                            .build();
        };
    }

    private JsonObject call() {
        var lease = json.lease();
        return JsonObject.builder()
                .put("worker_id", json.id())
                .put("job_id", json.job())
                .put("task_id", lease)
                .put("lease_token", lease)
                .put("lease_tokens", JsonArray.ofStrings(List.of(lease)))
                .put("current_tasks", JsonArray.ofStrings(List.of(lease)))
                .put("supported_tasks", JsonArray.ofStrings(List.of("noop")))
                .put("status", "success")
                .put("data", JsonObject.EMPTY)
                .put("metrics", HostileJson.METRICS)
                .put("results", JsonArray.EMPTY)
                .put("progress", JsonValue.of(0.5))
                .put("max", 1)
                .put("timeout_ms", 0)
                .put("event_type", "progress")
                .build();
    }

    private static List<byte[]> message(String kind, byte[] body) {
        return List.of(EMPTY, TAG, kind.getBytes(US_ASCII), body);
    }

    private void send(Port port, List<byte[]> frames) {
        var socket = socket(port);
        for (var index = 0; index < frames.size(); index++) {
            var _ = socket.send(frames.get(index), index < frames.size() - 1 ? ZMQ.SNDMORE : 0);
        }
    }

    /// Waits until all before has been looked at, since what comes of one worker is looked at in order.
    ///
    /// @param refused how many messages must have been rejected meanwhile
    private void sync(Port port, int refused) throws IOException {
        var mark = "SYNC_" + letters(++rounds);
        send(port, message(mark, "{}".getBytes(US_ASCII)));
        var rejects = 0;
        while (true) {
            var frames = receive(port);
            var kind = frames.size() < 4 ? "" : new String(frames.get(2), US_ASCII);
            if (frames.size() < 4) {
                throw new IOException("a message with " + frames.size() + " frames");
            }
            var body = (JsonObject) JsonText.read(frames.get(3));
            var code = body.string("code").orElse("");
            var isRefusal = kind.equals("REJECT") || kind.equals("CALL_FAILED");
            if (isRefusal && code.isEmpty()) {
                findings.add(kind + " has no code", body.toString());
            }
            if (kind.equals("REREGISTER") && body.string("reason").orElse("").isEmpty()) {
                findings.add("REREGISTER has no reason");
            }
            if (kind.equals("REJECT")) {
                if (body.string("message").orElse("").contains(mark)) {
                    break;
                }
                rejects++;
            }
            tally.add(port + " " + kind + (isRefusal ? " " + code : ""));
            learn(kind, body);
        }
        if (rejects < refused) {
            findings.add(
                    "of "
                            + refused
                            + " messages that are none, "
                            + (refused - rejects)
                            + " were not rejected on "
                            + port);
        }
    }

    /// A number in capital letters, as a kind has no others.
    private static String letters(int number) {
        var text = new StringBuilder();
        for (var left = number; left > 0; left /= 26) {
            text.append((char) ('A' + left % 26));
        }
        return text.append('_').toString();
    }

    private void learn(String kind, JsonObject body) {
        switch (kind) {
            case "WELCOME" -> session = body.string("session").orElse("");
            case "TASK" -> json.obtained(body.string("lease_id").orElse(""));
            case "REREGISTER" -> session = "";
            default -> {
                // Nothing to learn.
            }
        }
    }

    private List<byte[]> receive(Port port) throws IOException {
        var socket = socket(port);
        var first = socket.recv();
        if (first == null) {
            findings.add("a message was not looked at in " + TIMEOUT_MILLIS + " ms");
            throw new IOException("no answer on " + port);
        }
        var frames = new ArrayList<byte[]>();
        frames.add(first);
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv());
        }
        return frames;
    }

    /// Bytes that are no ZeroMQ, or only begin as such.
    private void stranger() throws IOException {
        var port = number(json.pick(List.of(Port.values())));
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            var bytes = json.drawn(random.nextInt(1, 300));
            switch (random.nextInt(4)) {
                case 0 -> greeting(bytes, 12);
                case 1 -> greeting(bytes, 64);
                case 2 -> {
                    bytes = new byte[64 + 40];
                    greeting(bytes, 64);
                    // A READY command, and then a frame whose length is too large, or negative.
                    var ready =
                            new byte[] {
                                4, 25, 5, 'R', 'E', 'A', 'D', 'Y', 11, 'S', 'o', 'c', 'k', 'e', 't',
                                '-', 'T', 'y', 'p', 'e', 0, 0, 0, 6, 'D', 'E', 'A'
                            };
                    System.arraycopy(ready, 0, bytes, 64, ready.length);
                    bytes[64 + 30] = 2;
                    bytes[64 + 31] = (byte) random.nextInt();
                }
                default -> {
                    // Noise from the first byte on.
                }
            }
            socket.setSoLinger(random.nextBoolean(), 0);
            socket.getOutputStream().write(bytes);
            tally.add("no ZeroMQ");
        } catch (SocketException closed) {
            tally.add("closed at once");
        }
    }

    private static void greeting(byte[] bytes, int length) {
        var greeting = new byte[64];
        greeting[0] = (byte) 0xff;
        greeting[8] = 1;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        System.arraycopy("NULL".getBytes(US_ASCII), 0, greeting, 12, 4);
        System.arraycopy(greeting, 0, bytes, 0, Math.min(bytes.length, length));
    }

    /// A connection of its own takes the place of the one before.
    private void anew(Port port) {
        socket(port).close();
        connect(port);
    }

    @Override
    public void close() {
        context.close();
    }
}
