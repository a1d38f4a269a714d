package dev.artel.e2e.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/// Connections of workers on WebSockets, one after another: hostile messages of all types in frames that are good, in pieces, and in frames that are none. No
/// connection ends without a close code, unless its client broke it.
final class HostileSocket implements HostileLane {
    private static final int MOST_FRAMES = 40;

    /// What may be on its way while the server answers.
    private static final int LARGE = 16 << 10;

    /// What the documents list for workers, and what RFC 6455 has for frames that are none.
    private static final Set<Integer> CODES =
            Set.of(1000, 1001, 1002, 1007, 1008, 1009, 1013, 4001, 4003, 4400, 4408, 4410, 4413);

    private static final List<String> CALLS =
            List.of(
                    "register",
                    "heartbeat",
                    "renew",
                    "release",
                    "result",
                    "results",
                    "event",
                    "log",
                    "poll",
                    "drain",
                    "no-such-method");

    private final int port;
    private final HostileJson json;
    private final SplittableRandom random;
    private final FuzzFindings findings;
    private final Tally tally;

    HostileSocket(int port, HostileJson json, FuzzFindings findings, Tally tally) {
        this.port = port;
        this.json = json;
        this.random = json.random();
        this.findings = findings;
        this.tally = tally;
    }

    @Override
    public int fire() throws IOException {
        try (var exchange = new HttpExchange(port)) {
            if (!upgrade(exchange)) {
                return 1;
            }
            return new Conversation(exchange).play();
        } catch (SocketTimeoutException late) {
            findings.add("an upgrade is neither answered nor closed");
            return 1;
        }
    }

    private boolean upgrade(HttpExchange exchange) throws IOException {
        var authorization =
                random.nextInt(5) < 2 ? "" : "Authorization: Bearer " + json.token() + "\r\n";
        exchange.send(
                ("GET /ws/worker HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                                + authorization
                                + "\r\n")
                        .getBytes(UTF_8));
        var answer = exchange.answer();
        if (answer == null) {
            findings.add("an upgrade was not answered");
            return false;
        }
        if (answer.status() == 101) {
            return true;
        }
        var code = answer.status() + " " + code(answer.body());
        tally.add("upgrade " + code);
        if (code.endsWith(" ") || answer.status() == 500) {
            findings.add("an upgrade was refused with " + code);
        }
        return false;
    }

    private static String code(byte[] body) {
        try {
            return JsonText.read(body) instanceof JsonObject problem
                    ? problem.string("code").orElse("")
                    : "";
        } catch (MalformedJson none) {
            return "";
        }
    }

    private JsonObject registration() {
        var model =
                JsonObject.builder()
                        .put("modelId", "noop")
                        .put("displayName", "noop")
                        .put("maxContextTokens", 1)
                        .put("maxOutputTokens", 1)
                        .put("supportsStreaming", JsonValue.of(false))
                        .put("aliases", JsonArray.ofStrings(List.of("echo")))
                        .build();
        var artel =
                JsonObject.builder()
                        .put("supportedTasks", JsonArray.ofStrings(List.of("noop", "echo")))
                        .put("instance", "one")
                        .put("leaseMs", 2_000)
                        .put("inlineBytes", 100)
                        .put("delivery", json.pick(List.of("push", "push", "poll")))
                        .put("runningTasks", JsonArray.ofStrings(List.of(json.lease())))
                        .put("taskCategories", JsonObject.of("noop", new JsonString("gpu")))
                        .put("profile", JsonObject.of("labels", JsonObject.EMPTY))
                        .build();
        var capabilities =
                JsonObject.builder()
                        .put("models", JsonArray.of(model))
                        .put("maxConcurrentRequests", 2)
                        .put("concurrencyLimits", JsonObject.of("gpu", JsonValue.of(1)))
                        .put(
                                "metadata",
                                JsonObject.of("acceptsWork", JsonValue.of(true), "artel", artel))
                        .build();
        return JsonObject.builder()
                .put("type", "worker_registration")
                .put("workerId", json.ownId())
                .put("workerName", "hostile")
                .put("capabilities", capabilities)
                .put("authToken", json.ownToken())
                .build();
    }

    private JsonObject message() {
        var lease = json.lease();
        var about = JsonObject.builder().put("requestId", lease);
        return switch (random.nextInt(14)) {
            case 0 ->
                    registration()
                            .with("workerId", new JsonString(json.id()))
                            .with("authToken", new JsonString(json.token()));
            case 1, 2 ->
                    JsonObject.builder()
                            .put("type", "heartbeat")
                            .put("workerId", random.nextInt(5) == 0 ? json.id() : json.ownId())
                            .put("timestamp", "2026-01-01T00:00:00.000Z")
                            .put("runningTasks", JsonArray.ofStrings(List.of(lease)))
                            .put("status", "idle")
                            .put("load", 1)
                            .build();
            case 3 -> about.put("type", "work_accepted").build();
            case 4 -> about.put("type", "work_refused").build();
            case 5 ->
                    about.put("type", "work_progress")
                            .put("progress", JsonValue.of(0.5))
                            .put("message", "half")
                            .build();
            case 6 ->
                    about.put("type", "work_log")
                            .put(
                                    "lines",
                                    JsonArray.of(JsonObject.of("message", new JsonString("a"))))
                            .build();
            case 7, 8 ->
                    about.put("type", json.pick(List.of("work_complete", "work_result")))
                            .put(
                                    "result",
                                    JsonObject.of(
                                            "status",
                                            new JsonString("success"),
                                            "data",
                                            JsonObject.EMPTY))
                            .put("success", JsonValue.of(true))
                            .build();
            case 9 ->
                    about.put("type", "work_failed")
                            .put(
                                    "error",
                                    JsonObject.of(
                                            "code",
                                            new JsonString("TRANSIENT_ERROR"),
                                            "message",
                                            new JsonString("no")))
                            .build();
            case 10, 11, 12 ->
                    JsonObject.builder()
                            .put("type", "call")
                            .put("callId", "c" + random.nextInt(100))
                            .put("method", json.pick(CALLS))
                            .put("body", body(lease))
                            .build();
            default ->
                    JsonObject.builder()
                            .put(
                                    "type",
                                    json.pick(
                                            List.of(
                                                    "worker_draining",
                                                    "shout",
                                                    "",
                                                    "worker_registration_ack",
                                                    "work_request")))
                            .put("workerId", json.id())
                            .put("reason", "none")
                            .put("graceMs", 5)
                            .build();
        };
    }

    /// That of any call.
    private JsonObject body(String lease) {
        return JsonObject.builder()
                .put("worker_id", json.id())
                .put("task_id", lease)
                .put("job_id", json.job())
                .put("lease_token", lease)
                .put("lease_tokens", JsonArray.ofStrings(List.of(lease)))
                .put("current_tasks", JsonArray.ofStrings(List.of(lease)))
                .put("supported_tasks", JsonArray.ofStrings(List.of("noop")))
                .put("status", "success")
                .put("data", JsonObject.EMPTY)
                .put("results", JsonArray.EMPTY)
                .put("lines", JsonArray.EMPTY)
                .put("max", 1)
                .put("timeout", JsonValue.of(0))
                .put("event_type", "progress")
                .build();
    }

    /// One connection.
    private final class Conversation {
        private final HttpExchange exchange;
        private final DataInputStream in;
        private boolean isOver;

        /// How many frames the server may not have read yet. If it closes with some of them unread, the connection is reset, and its close code may be lost.
        private int unread;

        /// Of a message whose end has not come.
        private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

        /// Of the last close frame that was sent; 0 if it had none.
        private int ownCode;

        private int frames;
        private int pings;
        private final List<String> recent = new ArrayList<>();

        Conversation(HttpExchange exchange) {
            this.exchange = exchange;
            this.in = new DataInputStream(exchange.input());
        }

        int play() throws IOException {
            try {
                if (random.nextInt(4) > 0) {
                    send(WireFrame.of(WireFrame.TEXT, JsonText.write(registration())));
                    sync();
                }
                var isSlow = random.nextBoolean();
                for (var left = random.nextInt(1, MOST_FRAMES); left > 0 && !isOver; left--) {
                    one();
                    if (!isOver && (isSlow || random.nextInt(8) == 0)) {
                        sync();
                    }
                }
                if (!isOver) {
                    leave();
                }
            } catch (EOFException closed) {
                ended("ended");
            } catch (SocketTimeoutException late) {
                findings.add("a connection is neither answered nor closed", recent.toString());
            } catch (IOException reset) {
                ended("was reset");
            }
            return Math.max(1, frames);
        }

        private void ended(String how) {
            tally.add("connection " + how);
            if (unread <= 1 && !isOver) {
                findings.add("a connection " + how + " without a close code", recent.toString());
            }
        }

        private void send(WireFrame frame) throws IOException {
            frames++;
            // The server closes at the head of a large frame that is none, and has not read the
            // rest of it.
            unread += frame.payload().length > LARGE ? 2 : 1;
            remember(frame.toString());
            if (frame.opcode() == WireFrame.CLOSE) {
                ownCode = code(frame.payload());
            }
            exchange.send(frame.write(random));
        }

        private static int code(byte[] close) {
            return close.length < 2 ? 0 : ByteBuffer.wrap(close).getShort() & 0xffff;
        }

        private void remember(String frame) {
            recent.add(frame.substring(0, Math.min(100, frame.length())));
            if (recent.size() > 4) {
                recent.removeFirst();
            }
        }

        private void one() throws IOException {
            var kind = random.nextInt(100);
            if (kind < 62) {
                send(WireFrame.of(WireFrame.TEXT, json.of(message())));
            } else if (kind < 70) {
                send(WireFrame.of(WireFrame.BINARY, json.of(message())));
            } else if (kind < 82) {
                pieces(json.of(message()));
            } else if (kind < 90) {
                var opcode = random.nextBoolean() ? WireFrame.PING : WireFrame.PONG;
                send(WireFrame.of(opcode, json.drawn(random.nextInt(126))));
            } else {
                fatal();
            }
        }

        private void pieces(byte[] message) throws IOException {
            var count = random.nextInt(2, 6);
            for (var i = 0; i < count; i++) {
                var piece =
                        Arrays.copyOfRange(
                                message,
                                message.length * i / count,
                                message.length * (i + 1) / count);
                var frame = WireFrame.of(i == 0 ? WireFrame.TEXT : WireFrame.CONTINUATION, piece);
                send(i < count - 1 ? frame.unfinished() : frame);
                if (random.nextInt(4) == 0) {
                    send(WireFrame.of(WireFrame.PING, json.drawn(3)));
                }
            }
        }

        /// A frame after which the connection has to be closed.
        private void fatal() throws IOException {
            sync();
            if (isOver) {
                return;
            }
            var payload = json.of(message());
            switch (random.nextInt(14)) {
                case 0 -> send(WireFrame.of(WireFrame.TEXT, payload).unmasked());
                case 1 ->
                        send(
                                WireFrame.of(
                                        json.pick(List.of(3, 4, 5, 6, 7, 11, 12, 13, 14, 15)),
                                        payload));
                case 2 ->
                        send(
                                WireFrame.of(WireFrame.TEXT, payload)
                                        .withReserved(random.nextInt(1, 8)));
                case 3 -> send(WireFrame.of(WireFrame.PING, json.drawn(random.nextInt(126, 300))));
                case 4 -> send(WireFrame.of(WireFrame.PING, json.drawn(3)).unfinished());
                case 5 -> send(WireFrame.of(WireFrame.CONTINUATION, payload));
                case 6 -> {
                    send(WireFrame.of(WireFrame.TEXT, payload).unfinished());
                    send(WireFrame.of(WireFrame.TEXT, payload));
                }
                case 7 ->
                        send(
                                WireFrame.of(WireFrame.TEXT, json.drawn(8))
                                        .withLength(
                                                json.pick(
                                                        List.of(
                                                                Long.MAX_VALUE,
                                                                Long.MIN_VALUE,
                                                                -1L,
                                                                1L << 40))));
                case 8 ->
                        send(
                                WireFrame.of(
                                        WireFrame.TEXT,
                                        new byte[] {'{', (byte) 0xc3, (byte) 0x28, '}'}));
                case 9 -> send(WireFrame.of(WireFrame.CLOSE, closing()));
                case 10 -> {
                    frames++;
                    exchange.send(json.drawn(random.nextInt(2, 100)));
                    abandon();
                    return;
                }
                case 11 -> {
                    // A frame that never ends.
                    var bytes =
                            WireFrame.of(WireFrame.TEXT, payload)
                                    .withLength(payload.length + 50L)
                                    .write(random);
                    frames++;
                    exchange.send(Arrays.copyOf(bytes, random.nextInt(bytes.length)));
                    abandon();
                    return;
                }
                case 12 -> {
                    if (random.nextInt(100) == 0) {
                        unread++;
                        send(WireFrame.of(WireFrame.TEXT, new byte[(4 << 20) + 1]));
                    } else {
                        send(
                                WireFrame.of(
                                        WireFrame.CLOSE,
                                        ByteBuffer.allocate(2).putShort((short) 1000).array()));
                    }
                }
                default -> {
                    for (var i = 0; i < 3 && !isOver; i++) {
                        send(
                                WireFrame.of(
                                        WireFrame.TEXT,
                                        json.pick(List.of("null", "[]", "7", "{", ""))
                                                .getBytes(UTF_8)));
                        if (i < 2) {
                            sync();
                        }
                    }
                }
            }
            awaitClose();
        }

        private byte[] closing() {
            return switch (random.nextInt(4)) {
                case 0 -> new byte[] {3};
                case 1 ->
                        ByteBuffer.allocate(2)
                                .putShort(
                                        (short)
                                                (int)
                                                        json.pick(
                                                                List.of(
                                                                        0, 999, 1004, 1005, 1006,
                                                                        1015, 2999, 65535)))
                                .array();
                case 2 ->
                        ByteBuffer.allocate(4)
                                .putShort((short) 1000)
                                .put((byte) 0xff)
                                .put((byte) 0xfe)
                                .array();
                default -> json.drawn(random.nextInt(126));
            };
        }

        /// Breaks the connection, or stops sending.
        private void abandon() throws IOException {
            tally.add("abandoned");
            isOver = true;
            if (random.nextBoolean()) {
                exchange.socket().setSoLinger(true, 0);
            }
        }

        private void leave() throws IOException {
            switch (random.nextInt(3)) {
                case 0 -> {
                    send(
                            WireFrame.of(
                                    WireFrame.CLOSE,
                                    ByteBuffer.allocate(2).putShort((short) 1000).array()));
                    awaitClose();
                }
                default -> abandon();
            }
        }

        /// Waits until all before has been looked at: the pong to a ping comes behind it, or the connection is closed.
        private void sync() throws IOException {
            var mark = "p" + ++pings;
            exchange.send(WireFrame.of(WireFrame.PING, mark.getBytes(UTF_8)).write(random));
            while (!isOver && !receive().equals(mark)) {
                // Something else came.
            }
            unread = 0;
        }

        private void awaitClose() throws IOException {
            while (!isOver) {
                var _ = receive();
            }
        }

        /// Takes in a frame.
        ///
        /// @return what a pong has in it; empty for other frames
        private String receive() throws IOException {
            var first = in.readUnsignedByte();
            var opcode = first & 0x0f;
            var isLast = (first & 0x80) != 0;
            long length = in.readUnsignedByte() & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            var payload = in.readNBytes((int) length);
            switch (opcode) {
                case WireFrame.CLOSE -> closed(payload);
                case WireFrame.PONG -> {
                    return new String(payload, UTF_8);
                }
                case WireFrame.PING -> {
                    if (random.nextInt(8) > 0) {
                        exchange.send(WireFrame.of(WireFrame.PONG, payload).write(random));
                    }
                }
                case WireFrame.TEXT, WireFrame.CONTINUATION -> {
                    // The server sends a message of more than 64 KiB in parts.
                    parts.writeBytes(payload);
                    if (isLast) {
                        text(parts.toByteArray());
                        parts.reset();
                    }
                }
                default -> tally.add("a frame with opcode " + opcode);
            }
            return "";
        }

        private void text(byte[] payload) {
            var message = (JsonObject) JsonText.read(payload);
            var type = message.string("type").orElse("");
            tally.add(
                    switch (type) {
                        case "error" -> "error " + message.string("code").orElse("none");
                        case "call_answer" ->
                                "call_answer "
                                        + message.number("status")
                                                .map(Object::toString)
                                                .orElse("none");
                        case "worker_registration_ack" ->
                                "registration "
                                        + message.get("success")
                                                .map(Object::toString)
                                                .orElse("none");
                        default -> type;
                    });
            if (type.equals("work_request")) {
                json.obtained(message.string("requestId").orElseThrow());
            }
            if (type.equals("error") && message.string("code").orElse("").isEmpty()) {
                findings.add("an error has no code", message.toString());
            }
            if (type.equals("call_answer")
                    && message.number("status").orElseThrow().asLong() == 500) {
                findings.add("a call was answered 500", message.toString());
            }
        }

        private void closed(byte[] payload) throws IOException {
            isOver = true;
            var code = code(payload);
            tally.add("close " + code);
            // A close frame is answered by one with its code, or by one without.
            var isEcho = code == ownCode && recent.getLast().startsWith("8/");
            if (!isEcho && !CODES.contains(code)) {
                findings.add(
                        "a connection was closed with " + code,
                        new String(payload, UTF_8) + " after " + recent);
            }
        }
    }

    @Override
    public void close() {
        // Each connection ends with its conversation.
    }
}
