package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

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

/// A process with workers that find nothing to do: each has a poll that waits, and on a connection of its own sends a
/// heartbeat each 15 s. One thread for all of them. Says how many answers it got that were no error, and how many were.
final class IdleWorkers {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final AtomicLong GOOD = new AtomicLong();
    private static final AtomicLong BAD = new AtomicLong();

    private final Selector selector;
    private final List<Line> heartbeats = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);

    private IdleWorkers() throws IOException {
        selector = Selector.open();
    }

    public static void main(String[] args) throws IOException {
        var address =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        var workers = new IdleWorkers();
        var count = Integer.parseInt(args[2]);
        for (var i = 0; i < count; i++) {
            workers.add(address, args[1], "idle-" + i);
        }
        Thread.ofPlatform().daemon().start(() -> workers.run(count));
        Lines.say("ready");
        Lines.untilEnd(_ -> GOOD.getAndSet(0) + " " + BAD.getAndSet(0));
    }

    /// A connection that says one thing again and again.
    private static final class Line {
        private final SocketChannel channel;
        private final byte[] request;
        private final boolean isPoll;
        private final StringBuilder answer = new StringBuilder();

        Line(SocketChannel channel, String request, boolean isPoll) {
            this.channel = channel;
            this.request = request.getBytes(US_ASCII);
            this.isPoll = isPoll;
        }

        void ask() {
            try {
                var left = ByteBuffer.wrap(request);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            } catch (IOException broken) {
                BAD.incrementAndGet();
            }
        }

        /// Whether the answer is complete.
        boolean hears(ByteBuffer bytes) {
            answer.append(US_ASCII.decode(bytes));
            var end = answer.indexOf("\r\n\r\n");
            if (end < 0) {
                return false;
            }
            var length = answer.indexOf("Content-Length: ");
            var expected = 0;
            if (length >= 0 && length < end) {
                var from = length + "Content-Length: ".length();
                expected = Integer.parseInt(answer.substring(from, answer.indexOf("\r\n", from)));
            }
            if (answer.length() < end + 4 + expected) {
                return false;
            }
            (answer.charAt(9) == '2' ? GOOD : BAD).incrementAndGet();
            answer.setLength(0);
            return true;
        }
    }

    private void add(InetSocketAddress address, String token, String name) throws IOException {
        var path = "/_worker/workers/" + name;
        var head =
                " HTTP/1.1\r\nHost: a\r\nX-Worker-Token: "
                        + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: ";
        var registration =
                "{\"worker_id\":\""
                        + name
                        + "\",\"worker_type\":\"t\",\"supported_tasks\":[\"idle-task\"],"
                        + "\"max_concurrent_tasks\":10,\"installed_models\":[],"
                        + "\"hostname\":\"h\",\"ip_address\":\"10.0.0.5\","
                        + "\"resources\":{\"cpu_cores\":4,\"gpu_info\":null}}";
        var heartbeat =
                "{\"load\":0,\"status\":\"idle\",\"supported_tasks\":[\"idle-task\"],"
                        + "\"hot_cache\":[]}";
        var say = open(address);
        write(
                say,
                "POST /_worker/workers/register"
                        + head
                        + registration.length()
                        + "\r\n\r\n"
                        + registration);
        buffer.clear();
        if (say.read(buffer) < 0 || buffer.get(9) != '2') {
            throw new IOException("worker " + name + " could not register");
        }
        heartbeats.add(
                register(
                        say,
                        "PATCH " + path + head + heartbeat.length() + "\r\n\r\n" + heartbeat,
                        false));
        register(
                open(address),
                "GET "
                        + path
                        + "/tasks/next HTTP/1.1\r\nHost: a\r\nX-Worker-Token: "
                        + token
                        + "\r\n\r\n",
                true);
    }

    private static SocketChannel open(InetSocketAddress address) throws IOException {
        return SocketChannel.open(address);
    }

    private static void write(SocketChannel channel, String text) throws IOException {
        var left = ByteBuffer.wrap(text.getBytes(US_ASCII));
        while (left.hasRemaining()) {
            channel.write(left);
        }
    }

    private Line register(SocketChannel channel, String request, boolean isPoll)
            throws IOException {
        channel.configureBlocking(false);
        var line = new Line(channel, request, isPoll);
        channel.register(selector, SelectionKey.OP_READ, line);
        return line;
    }

    private void run(int count) {
        var began = System.nanoTime();
        var sent = 0L;
        var polls = selector.keys().stream().map(key -> (Line) key.attachment());
        polls.filter(line -> line.isPoll).forEach(Line::ask);
        var pause = HEARTBEAT.toNanos() / count;
        try {
            while (true) {
                while (System.nanoTime() - began > sent * pause) {
                    heartbeats.get((int) (sent++ % count)).ask();
                }
                selector.select(this::hear, 5);
            }
        } catch (IOException e) {
            BAD.addAndGet(count);
        }
    }

    private void hear(SelectionKey key) {
        var line = (Line) key.attachment();
        try {
            buffer.clear();
            if (line.channel.read(buffer) < 0) {
                BAD.incrementAndGet();
                key.cancel();
                return;
            }
            buffer.flip();
            if (line.hears(buffer) && line.isPoll) {
                line.ask();
            }
        } catch (IOException broken) {
            BAD.incrementAndGet();
            key.cancel();
        }
    }
}
