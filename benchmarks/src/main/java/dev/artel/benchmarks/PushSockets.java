package dev.artel.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// A worker of a load program that speaks `PUSH/1` over three sockets. For one thread.
final class PushSockets {
    private static final Duration REPEAT_READY = Duration.ofSeconds(1);
    private static final Duration REPEAT_HELLO = Duration.ofMillis(250);
    private static final Duration REPEAT_RESULT = Duration.ofSeconds(2);
    private static final byte[] TAG = "PUSH/1".getBytes(UTF_8);
    private static final byte[] EMPTY = {};

    private final String name;
    private final String token;
    private final int capacity;
    private final boolean isHolding;
    private final LoadCounts counts;
    private final Map<Port, ZMQ.Socket> sockets = new EnumMap<>(Port.class);

    /// The leases that it has, from the task until its result is acknowledged.
    private final Map<String, Held> held = new LinkedHashMap<>();

    private String session = "";
    private int greeted;
    private long nextTry;
    private long beats;
    private boolean isReleased;

    /// What the sockets are for, in the order of the ports.
    enum Port {
        REGISTRATION,
        TASKS,
        RESULTS
    }

    /// A task in work, and the JSON that names it, without its end.
    private static final class Held {
        private final String about;
        private final long sentAt;
        private long nextResult;

        Held(String about, long sentAt) {
            this.about = about;
            this.sentAt = sentAt;
        }
    }

    /// Connects.
    ///
    /// @param ports of the orchestrator, in the order of [Port]
    /// @param isHolding whether results wait for [#release]
    PushSockets(
            ZContext context,
            List<String> ports,
            String name,
            String token,
            int capacity,
            boolean isHolding,
            LoadCounts counts) {
        this.name = name;
        this.token = token;
        this.capacity = capacity;
        this.isHolding = isHolding;
        this.counts = counts;
        var next = ports.iterator();
        for (var port : Port.values()) {
            var socket = context.createSocket(SocketType.DEALER);
            socket.setIdentity(name.getBytes(UTF_8));
            // A connection of which the library loses sight is there again soon: BegunConnections.
            socket.setHandshakeIvl(3_000);
            socket.connect("tcp://127.0.0.1:" + next.next());
            sockets.put(port, socket);
        }
    }

    List<ZMQ.Socket> sockets() {
        return List.copyOf(sockets.values());
    }

    boolean isReady() {
        return !session.isEmpty() && greeted == 2;
    }

    /// Sends the results that wait.
    void release() {
        isReleased = true;
        held.values().forEach(this::report);
    }

    /// Sends a heartbeat and what was not answered, if it is ready; otherwise what is needed for that, if it is time.
    void beat() {
        var now = System.nanoTime();
        if (isReady()) {
            sendHeartbeat();
            if (!isHolding || isReleased) {
                held.values().stream()
                        .filter(one -> now >= one.nextResult)
                        .toList()
                        .forEach(this::report);
            }
        } else if (now >= nextTry) {
            register(now);
        }
    }

    private void register(long now) {
        if (session.isEmpty()) {
            nextTry = now + REPEAT_READY.toNanos();
            send(
                    Port.REGISTRATION,
                    "READY",
                    "{\"worker_id\":\""
                            + name
                            + "\",\"instance\":\"one\",\"capacity\":"
                            + capacity
                            + ",\"token\":\""
                            + token
                            + "\",\"labels\":{},\"task_types\":[\"noop\"],\"running\":["
                            + held.values().stream()
                                    .map(one -> one.about + "}")
                                    .collect(Collectors.joining(","))
                            + "]}");
        } else {
            nextTry = now + REPEAT_HELLO.toNanos();
            send(Port.TASKS, "HELLO", inSession("}"));
            send(Port.RESULTS, "HELLO", inSession("}"));
        }
    }

    private String inSession(String more) {
        return "{\"worker_id\":\""
                + name
                + "\",\"instance\":\"one\",\"session\":\""
                + session
                + '"'
                + more;
    }

    private void sendHeartbeat() {
        var running = held.isEmpty() ? "" : '"' + String.join("\",\"", held.keySet()) + '"';
        send(
                Port.REGISTRATION,
                "HEARTBEAT",
                inSession(
                        ",\"seq\":"
                                + ++beats
                                + ",\"capacity\":"
                                + capacity
                                + ",\"idle\":"
                                + Math.max(0, capacity - held.size())
                                + ",\"running\":["
                                + running
                                + "]}"));
    }

    private void send(Port port, String kind, String body) {
        var socket = socket(port);
        socket.send(EMPTY, ZMQ.SNDMORE);
        socket.send(TAG, ZMQ.SNDMORE);
        socket.send(kind.getBytes(UTF_8), ZMQ.SNDMORE);
        socket.send(body.getBytes(UTF_8), 0);
    }

    private ZMQ.Socket socket(Port port) {
        var socket = sockets.get(port);
        if (socket == null) {
            throw new IllegalStateException("there is no socket for " + port);
        }
        return socket;
    }

    /// Takes in what there is, and answers it.
    void read() {
        for (var port : Port.values()) {
            var socket = socket(port);
            for (var first = socket.recv(ZMQ.DONTWAIT);
                    first != null;
                    first = socket.recv(ZMQ.DONTWAIT)) {
                read(socket);
            }
        }
    }

    private void read(ZMQ.Socket socket) {
        var frames = new ArrayList<byte[]>();
        while (socket.hasReceiveMore()) {
            frames.add(socket.recv(ZMQ.DONTWAIT));
        }
        received(new String(frames.get(1), UTF_8), new String(frames.get(2), UTF_8));
    }

    private void received(String kind, String body) {
        switch (kind) {
            case "TASK" -> perform(body);
            case "RESULT_ACK" -> {
                var done = held.remove(text(body, "lease_id"));
                if (done != null && text(body, "outcome").equals("ACCEPTED")) {
                    counts.acknowledged(done.sentAt);
                }
            }
            case "CANCEL" -> {
                // Its result is on its way, and the answer to that is the last word.
            }
            case "HEARTBEAT_ACK" -> counts.hasBeaten();
            case "WELCOME" -> {
                session = text(body, "session");
                greeted = 0;
                nextTry = 0;
            }
            case "REREGISTER" -> {
                if (!session.isEmpty()) {
                    session = "";
                    nextTry = 0;
                    counts.hasBroken();
                }
            }
            case "HELLO_OK" -> greeted = Math.min(2, greeted + 1);
            default -> throw new IllegalStateException(name + " received " + kind + " " + body);
        }
    }

    private void perform(String task) {
        var lease = text(task, "lease_id");
        var about = "{\"task_id\":\"" + text(task, "task_id") + "\",\"lease_id\":\"" + lease + '"';
        send(Port.TASKS, "ACCEPT", about + "}");
        var one = new Held(about, LatencyLog.sentAt(task));
        held.put(lease, one);
        if (isHolding && !isReleased) {
            counts.hasReceived(name);
        } else {
            report(one);
        }
    }

    private void report(Held one) {
        one.nextResult = System.nanoTime() + REPEAT_RESULT.toNanos();
        send(
                Port.RESULTS,
                "RESULT",
                one.about + ",\"attempt\":1,\"status\":\"COMPLETED\",\"result\":{}}");
    }

    /// The text of a member, which has no quotes.
    private static String text(String body, String name) {
        var start = "\"" + name + "\":\"";
        var found = body.indexOf(start);
        if (found < 0) {
            throw new IllegalStateException("there is no " + name + " in " + body);
        }
        var from = found + start.length();
        return body.substring(from, body.indexOf('"', from));
    }
}
