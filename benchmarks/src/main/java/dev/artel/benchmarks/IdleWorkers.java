package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// A process with workers that find nothing to do: each has a poll that waits, and on a connection of its own sends a
/// heartbeat each 15 s.
///
/// Registers them and prints `ready`. To `warm` it answers when the workers have sent heartbeats for a while as fast as
/// these are answered, and keeps to the 15 s from then on. To anything else it answers with how many answers since the last
/// question were no error, and how many were.
final class IdleWorkers implements ConnectionLoop.Load {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration POLL = Duration.ofSeconds(30);

    /// How much longer than it should take the warm-up may take.
    private static final Duration LONGEST = Duration.ofMinutes(5);

    /// How many workers register at once, and how many heartbeats of the warm-up are under way.
    private static final int AT_ONCE = 50;

    private static final AtomicLong GOOD = new AtomicLong();
    private static final AtomicLong BAD = new AtomicLong();

    private final ConnectionLoop loop;
    private final Pace pace;
    private final Duration warmUp;
    private final List<Line> heartbeats = new ArrayList<>();
    private final List<Line> polls = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
    private final CountDownLatch warm = new CountDownLatch(1);
    private long began;
    private volatile boolean isToWarmUp;
    private int polling;
    private int next;
    private int underWay;
    private long warmUntil;

    private IdleWorkers(int port, int count, Duration warmUp) throws IOException {
        this.warmUp = warmUp;
        loop = new ConnectionLoop(port);
        pace = new Pace(HEARTBEAT, count);
    }

    /// Arguments: the port of the orchestrator, the token of workers, how many workers, and the seconds of the warm-up.
    public static void main(String[] args) throws IOException {
        var count = Integer.parseInt(args[2]);
        var workers =
                new IdleWorkers(
                        Integer.parseInt(args[0]),
                        count,
                        Duration.ofSeconds(Long.parseLong(args[3])));
        for (var i = 0; i < count; i += AT_ONCE) {
            workers.add(args[1], i, Math.min(count, i + AT_ONCE));
        }
        workers.began = System.nanoTime();
        workers.pace.restart();
        workers.loop.start(workers);
        ChildProtocol.send("ready");
        ChildProtocol.untilEnd(workers::answer);
    }

    private String answer(String question) {
        if (!question.equals("warm")) {
            return GOOD.getAndSet(0) + " " + BAD.getAndSet(0);
        }
        isToWarmUp = true;
        try {
            return warm.await(LONGEST.plus(warmUp).toSeconds(), TimeUnit.SECONDS)
                    ? "warm"
                    : "not warm";
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    /// A connection that sends one thing again and again.
    private final class Line implements ConnectionLoop.Reader {
        private final SocketChannel channel;
        private final byte[] request;
        private final boolean isPoll;
        private final StringBuilder answer = new StringBuilder();
        private boolean isUnderWay;

        Line(SocketChannel channel, String request, boolean isPoll) {
            this.channel = channel;
            this.request = request.getBytes(US_ASCII);
            this.isPoll = isPoll;
        }

        void ask() {
            isUnderWay = true;
            try {
                ConnectionLoop.write(channel, request);
            } catch (IOException broken) {
                BAD.incrementAndGet();
            }
        }

        @Override
        public void read() throws IOException {
            buffer.clear();
            if (channel.read(buffer) < 0) {
                throw new IOException("closed by the orchestrator");
            }
            buffer.flip();
            if (!hears(buffer)) {
                return;
            }
            if (isPoll) {
                ask();
            } else if (underWay > 0) {
                goOnWarmingUp();
            }
        }

        /// Whether the answer is complete.
        private boolean hears(ByteBuffer bytes) {
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
            isUnderWay = false;
            return true;
        }
    }

    /// Registers the workers `from` (inclusive) to `to` (exclusive), all at once.
    private void add(String token, int from, int to) throws IOException {
        var channels = new ArrayList<SocketChannel>();
        for (var i = from; i < to; i++) {
            var channel = loop.open();
            channels.add(channel);
            var registration =
                    "{\"worker_id\":\"idle-"
                            + i
                            + "\",\"worker_type\":\"t\",\"supported_tasks\":[\"idle-task\"],"
                            + "\"max_concurrent_tasks\":10,\"installed_models\":[],"
                            + "\"hostname\":\"h\",\"ip_address\":\"10.0.0.5\","
                            + "\"resources\":{\"cpu_cores\":4,\"gpu_info\":null}}";
            ConnectionLoop.write(
                    channel,
                    "POST /_worker/workers/register" + head(token, registration) + registration);
        }
        for (var i = from; i < to; i++) {
            var channel = channels.get(i - from);
            buffer.clear();
            if (channel.read(buffer) < 0 || buffer.get(9) != '2') {
                throw new IOException("worker idle-" + i + " could not register");
            }
            var path = "/_worker/workers/idle-" + i;
            var heartbeat =
                    "{\"load\":0,\"status\":\"idle\",\"supported_tasks\":[\"idle-task\"],"
                            + "\"hot_cache\":[]}";
            heartbeats.add(
                    register(channel, "PATCH " + path + head(token, heartbeat) + heartbeat, false));
            polls.add(
                    register(
                            loop.open(),
                            "GET "
                                    + path
                                    + "/tasks/next HTTP/1.1\r\nHost: a\r\nX-Worker-Token: "
                                    + token
                                    + "\r\n\r\n",
                            true));
        }
    }

    private static String head(String token, String body) {
        return " HTTP/1.1\r\nHost: a\r\nX-Worker-Token: "
                + token
                + "\r\nContent-Type: application/json\r\nContent-Length: "
                + body.length()
                + "\r\n\r\n";
    }

    private Line register(SocketChannel channel, String request, boolean isPoll)
            throws IOException {
        var line = new Line(channel, request, isPoll);
        loop.add(channel, line);
        return line;
    }

    /// Polls begin one after another, so that they end so as well, and heartbeats come evenly.
    @Override
    public void act() {
        var now = System.nanoTime();
        while (polling < polls.size() && now - began > polling * (POLL.toNanos() / polls.size())) {
            polls.get(polling++).ask();
        }
        if (isToWarmUp && warmUntil == 0) {
            warmUntil = now + warmUp.toNanos();
            for (underWay = 0; underWay < AT_ONCE; underWay++) {
                beatQuickly();
            }
        }
        if (underWay == 0) {
            pace.keep(_ -> beat());
        }
    }

    @Override
    public void broken() {
        BAD.incrementAndGet();
    }

    private void beat() {
        heartbeats.get(next++ % heartbeats.size()).ask();
    }

    /// A heartbeat of a worker whose last one is answered; there are more workers than are asked at once.
    private void beatQuickly() {
        for (var i = 0; i < heartbeats.size(); i++) {
            var line = heartbeats.get(next++ % heartbeats.size());
            if (!line.isUnderWay) {
                line.ask();
                return;
            }
        }
        throw new IllegalStateException("each worker waits for an answer to its heartbeat");
    }

    private void goOnWarmingUp() {
        if (System.nanoTime() < warmUntil) {
            beatQuickly();
        } else if (--underWay == 0) {
            pace.restart();
            warm.countDown();
        }
    }
}
