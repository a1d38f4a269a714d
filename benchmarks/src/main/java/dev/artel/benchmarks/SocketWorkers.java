package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// A process with workers on WebSockets that do tasks `noop` at once, and send a heartbeat each 15 s. One thread for all of them, with just as much
/// of RFC 6455 as it takes: unfragmented frames, masked with zeros.
///
/// Registers them and prints `ready`. It answers each line with how many tasks it has done and how many heartbeats were acknowledged
/// since the last one, and how many connections broke.
final class SocketWorkers {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final int AT_ONCE = 50;
    private static final int LARGEST = 1 << 16;
    private static final String REQUEST = "\"type\":\"work_request\"";
    private static final String ID = "\"requestId\":\"";

    private static final AtomicLong DONE = new AtomicLong();
    private static final AtomicLong BEATS = new AtomicLong();
    private static final AtomicLong BROKEN = new AtomicLong();

    private final Selector selector;
    private final List<Line> lines = new ArrayList<>();
    private long began;
    private long sent;

    private SocketWorkers() throws IOException {
        selector = Selector.open();
    }

    /// Arguments: the port of the orchestrator, the token of workers, how many workers, how many tasks at once for each.
    public static void main(String[] args) throws IOException {
        var address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        var workers = new SocketWorkers();
        var count = Integer.parseInt(args[2]);
        for (var i = 0; i < count; i += AT_ONCE) {
            workers.add(address, args[1], i, Math.min(count, i + AT_ONCE), args[3]);
        }
        Thread.ofPlatform().daemon().start(workers::run);
        ChildProtocol.send("ready");
        ChildProtocol.untilEnd(
                _ -> DONE.getAndSet(0) + " " + BEATS.getAndSet(0) + " " + BROKEN.get());
    }

    /// One connection.
    private static final class Line {
        private final SocketChannel channel;
        private final ByteBuffer in = ByteBuffer.allocate(LARGEST);
        private final byte[] heartbeat;

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
            var left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }

        /// Takes in what there is and answers it.
        void read() throws IOException {
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
                var from = text.indexOf(ID) + ID.length();
                var id = text.substring(from, text.indexOf('"', from));
                send(
                        frame(
                                "{\"type\":\"work_complete\",\"requestId\":\""
                                        + id
                                        + "\",\"result\":{}}",
                                1));
                DONE.incrementAndGet();
            } else if (text.contains("\"heartbeat_ack\"")) {
                BEATS.incrementAndGet();
            }
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
    private void add(InetSocketAddress address, String token, int from, int to, String slots)
            throws IOException {
        var group = new ArrayList<Line>();
        for (var i = from; i < to; i++) {
            var channel = SocketChannel.open(address);
            channel.socket().setTcpNoDelay(true);
            var line = new Line(channel, "socket-" + i);
            line.send(
                    ("GET /ws/worker HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
                                    + "Authorization: Bearer "
                                    + token
                                    + "\r\n\r\n")
                            .getBytes(UTF_8));
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
            line.channel.configureBlocking(false);
            line.channel.register(selector, SelectionKey.OP_READ, line);
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

    private void run() {
        began = System.nanoTime();
        try {
            while (true) {
                beat();
                selector.select(SocketWorkers::take, 5);
            }
        } catch (IOException e) {
            BROKEN.addAndGet(lines.size());
        }
    }

    /// Heartbeats come evenly.
    private void beat() {
        while (System.nanoTime() - began > sent * (HEARTBEAT.toNanos() / lines.size())) {
            var line = lines.get((int) (sent++ % lines.size()));
            try {
                line.send(line.heartbeat);
            } catch (IOException broken) {
                BROKEN.incrementAndGet();
            }
        }
    }

    private static void take(SelectionKey key) {
        try {
            ((Line) key.attachment()).read();
        } catch (IOException broken) {
            BROKEN.incrementAndGet();
            key.cancel();
        }
    }
}
