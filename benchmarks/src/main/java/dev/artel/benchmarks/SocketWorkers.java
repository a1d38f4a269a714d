package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A process with workers on WebSockets that do tasks `noop` at once, and send a heartbeat each 15 s: just as much of RFC 6455 as it
/// takes, unfragmented frames, masked with zeros.
///
/// Registers them, prints `ready`, and answers as [LoadCounts#answer].
final class SocketWorkers implements ConnectionLoop.Load {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int AT_ONCE = 50;
    private static final int LARGEST = 1 << 16;
    private static final String REQUEST = "\"type\":\"work_request\"";
    private static final String ACKNOWLEDGED = "\"type\":\"work_complete_ack\"";
    private static final String ID = "\"requestId\":\"";

    private final LoadCounts counts = new LoadCounts();
    private final ConnectionLoop loop;
    private final List<Line> lines = new ArrayList<>();
    private final Pace pace;

    private SocketWorkers(int port, int count) throws IOException {
        loop = new ConnectionLoop(port);
        pace = new Pace(HEARTBEAT, count);
    }

    /// Arguments: the port of the orchestrator, the token of workers, how many workers, how many tasks at once for each.
    public static void main(String[] args) throws IOException {
        var count = Integer.parseInt(args[2]);
        var workers = new SocketWorkers(Integer.parseInt(args[0]), count);
        for (var i = 0; i < count; i += AT_ONCE) {
            workers.add(args[1], i, Math.min(count, i + AT_ONCE), args[3]);
        }
        workers.pace.restart();
        workers.loop.start(workers);
        ChildProtocol.send("ready");
        ChildProtocol.untilEnd(workers.counts::answer);
    }

    /// One connection.
    private final class Line implements ConnectionLoop.Reader {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(LARGEST);
        private final byte[] heartbeat;

        /// When the tasks in work were sent, by their ids.
        private final Map<String, Long> sentAt = new HashMap<>();

        Line(SocketChannel channel, String id) {
            this.channel = channel;
            heartbeat =
                    frame(
                            "{\"type\":\"heartbeat\",\"workerId\":\""
                                    + id
                                    + "\",\"timestamp\":\"2026-01-01T00:00:00.000Z\"}",
                            1);
        }

        void send(byte[] bytes) throws IOException {
            ConnectionLoop.write(channel, bytes);
        }

        @Override
        public void read() throws IOException {
            if (channel.read(in) < 0) {
                throw new IOException("closed by the orchestrator");
            }
            in.flip();
            while (isWhole()) {
                var opcode = in.get() & 0x0f;
                var payload = new byte[length()];
                in.get(payload);
                received(opcode, new String(payload, UTF_8));
            }
            in.compact();
        }

        private boolean isWhole() {
            var at = in.position();
            if (in.remaining() < 2) {
                return false;
            }
            var first = in.get(at + 1) & 0x7f;
            if (first < 126) {
                return in.remaining() >= 2 + first;
            }
            return in.remaining() >= 4 && in.remaining() >= 4 + (in.getShort(at + 2) & 0xffff);
        }

        private int length() {
            var first = in.get() & 0x7f;
            return first < 126 ? first : in.getShort() & 0xffff;
        }

        private void received(int opcode, String text) throws IOException {
            if (opcode == 9) {
                send(frame(text, 10));
            } else if (opcode == 8) {
                throw new IOException("closed: " + text);
            } else if (text.contains(REQUEST)) {
                var id = id(text);
                sentAt.put(id, LatencyLog.sentAt(text));
                send(
                        frame(
                                "{\"type\":\"work_complete\",\"requestId\":\""
                                        + id
                                        + "\",\"result\":{}}",
                                1));
            } else if (text.contains(ACKNOWLEDGED)) {
                var sent = sentAt.remove(id(text));
                counts.acknowledged(sent == null ? 0 : sent);
            } else if (text.contains("\"heartbeat_ack\"")) {
                counts.hasBeaten();
            }
        }

        private static String id(String text) {
            var from = text.indexOf(ID) + ID.length();
            return text.substring(from, text.indexOf('"', from));
        }
    }

    private static byte[] frame(String text, int opcode) {
        var payload = text.getBytes(UTF_8);
        var isShort = payload.length < 126;
        var frame = ByteBuffer.allocate(payload.length + (isShort ? 6 : 8));
        frame.put((byte) (0x80 | opcode));
        frame.put((byte) (0x80 | (isShort ? payload.length : 126)));
        if (!isShort) {
            frame.putShort((short) payload.length);
        }
        return frame.putInt(0).put(payload).array();
    }

    /// Registers the workers `from` (inclusive) to `to` (exclusive), all at once.
    private void add(String token, int from, int to, String slots) throws IOException {
        var group = new ArrayList<Line>();
        for (var i = from; i < to; i++) {
            var line = new Line(loop.open(), "socket-" + i);
            ConnectionLoop.write(
                    line.channel,
                    "GET /ws/worker HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                            + "Authorization: Bearer "
                            + token
                            + "\r\n\r\n");
            group.add(line);
        }
        for (var i = from; i < to; i++) {
            var line = group.get(i - from);
            awaitUpgrade(line);
            line.send(
                    frame(
                            "{\"type\":\"worker_registration\",\"workerId\":\"socket-"
                                    + i
                                    + "\",\"workerName\":\"socket-"
                                    + i
                                    + "\",\"capabilities\":{\"models\":[{\"modelId\":\"noop\",\"displayName\":\"noop\","
                                    + "\"maxContextTokens\":1,\"maxOutputTokens\":1,\"supportsStreaming\":false}],"
                                    + "\"maxConcurrentRequests\":"
                                    + slots
                                    + "}}",
                            1));
            loop.add(line.channel, line);
            lines.add(line);
        }
    }

    private static void awaitUpgrade(Line line) throws IOException {
        var head = new StringBuilder();
        var one = ByteBuffer.allocate(1);
        while (head.indexOf("\r\n\r\n") < 0) {
            one.clear();
            if (line.channel.read(one) < 0) {
                throw new IOException("the upgrade was answered by " + head);
            }
            head.append((char) one.get(0));
        }
        if (!head.toString().startsWith("HTTP/1.1 101")) {
            throw new IOException("the upgrade was answered by " + head);
        }
    }

    @Override
    public void act() {
        pace.keep(turn -> {
            var line = lines.get(turn);
            try {
                line.send(line.heartbeat);
            } catch (IOException broken) {
                counts.hasBroken();
            }
        });
    }

    @Override
    public void broken() {
        counts.hasBroken();
    }
}
