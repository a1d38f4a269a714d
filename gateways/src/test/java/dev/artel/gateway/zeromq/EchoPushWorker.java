package dev.artel.gateway.zeromq;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A worker with a thread that keeps to the protocol: it greets, sends heartbeats, accepts, works for a while, reports, repeats
/// what is not acknowledged, and registers again when it is asked to.
final class EchoPushWorker implements AutoCloseable {
    private static final Duration RESEND = Duration.ofSeconds(2);
    private static final Duration GREET = Duration.ofMillis(250);
    private static final List<WirePort> GREETED = List.of(WirePort.TASKS, WirePort.RESULTS);

    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger most = new AtomicInteger();
    private final PushPeer peer;
    private final int capacity;
    private final Duration work;
    private final SplittableRandom random;
    private final boolean isHonest;
    private final Thread thread;
    private volatile boolean isClosing;

    private boolean isWelcome;
    private final Set<WirePort> greeted = EnumSet.noneOf(WirePort.class);
    private long nextReady;
    private long nextBeat;
    private long nextGreeting;
    private final Map<String, Work> works = new LinkedHashMap<>();

    /// Begins in a moment.
    ///
    /// @param random what it reports as idle; null: the truth
    EchoPushWorker(
            ZeroMqConfig.Ports ports,
            String name,
            int capacity,
            Duration work,
            @Nullable SplittableRandom random) {
        this.peer = new PushPeer(ports, name);
        this.capacity = capacity;
        this.work = work;
        this.random = random == null ? new SplittableRandom(0) : random;
        this.isHonest = random == null;
        this.thread = Thread.ofPlatform().daemon().name("test-" + name).start(this::run);
    }

    private static final class Work {
        final PushPeer.Received task;
        final long until;
        long nextReport;

        Work(PushPeer.Received task, long until) {
            this.task = task;
            this.until = until;
        }
    }

    private void run() {
        while (!isClosing) {
            var now = System.nanoTime();
            ready(now);
            greet(now);
            beat(now);
            report(now);
            receive();
        }
        peer.close();
    }

    private void ready(long now) {
        if (!isWelcome && now >= nextReady) {
            nextReady = now + RESEND.toNanos();
            var running = new ArrayList<JsonValue>();
            works.values().forEach(one -> running.add(PushPeer.about(one.task)));
            peer.send(
                    WirePort.REGISTRATION,
                    "READY",
                    peer.ready(capacity).with("running", new JsonArray(running)));
        }
    }

    private void greet(long now) {
        if (isWelcome && now >= nextGreeting) {
            nextGreeting = now + GREET.toNanos();
            GREETED.stream().filter(port -> !greeted.contains(port)).forEach(peer::hello);
        }
    }

    private void beat(long now) {
        if (isWelcome && now >= nextBeat) {
            nextBeat = now + Duration.ofMillis(200).toNanos();
            var idle = isHonest ? capacity - works.size() : random.nextInt(0, 100);
            peer.heartbeat(Math.max(0, idle), works.keySet().toArray(String[]::new));
        }
    }

    private void report(long now) {
        for (var one : works.values()) {
            if (isWelcome && now >= one.until && now >= one.nextReport) {
                one.nextReport = now + RESEND.toNanos();
                peer.send(
                        WirePort.RESULTS,
                        "RESULT",
                        PushPeer.completed(
                                one.task, JsonObject.of("by", new JsonString(peer.name))));
            }
        }
    }

    private void receive() {
        for (var message = peer.next(WirePort.TASKS, 5);
                message != null;
                message = peer.next(WirePort.TASKS, 0)) {
            switch (message.kind()) {
                case "TASK" -> begin(message);
                case "CANCEL" -> works.remove(message.text("lease_id"));
                case "HELLO_OK" -> greeted(WirePort.TASKS, message);
                default -> {}
            }
        }
        for (var message = peer.next(WirePort.RESULTS, 0);
                message != null;
                message = peer.next(WirePort.RESULTS, 0)) {
            switch (message.kind()) {
                case "RESULT_ACK" -> works.remove(message.text("lease_id"));
                case "HELLO_OK" -> greeted(WirePort.RESULTS, message);
                default -> {}
            }
        }
        for (var message = peer.next(WirePort.REGISTRATION, 0);
                message != null;
                message = peer.next(WirePort.REGISTRATION, 0)) {
            switch (message.kind()) {
                case "WELCOME" -> {
                    peer.inSession(message.text("session"));
                    message.texts("revoke").forEach(works::remove);
                    isWelcome = true;
                    greeted.clear();
                    nextGreeting = 0;
                }
                case "HEARTBEAT_ACK" -> message.texts("revoke").forEach(works::remove);
                case "REREGISTER" -> {
                    isWelcome = false;
                    nextReady = 0;
                }
                case "REJECT" -> isWelcome = false;
                default -> {}
            }
        }
    }

    private void greeted(WirePort port, PushPeer.Received message) {
        if (message.text("session").equals(peer.session())) {
            greeted.add(port);
        }
    }

    private void begin(PushPeer.Received task) {
        begun.incrementAndGet();
        works.put(task.text("lease_id"), new Work(task, System.nanoTime() + work.toNanos()));
        var unfinished = (int) works.values().stream().filter(one -> one.nextReport == 0).count();
        most.accumulateAndGet(unfinished, Math::max);
        peer.accept(task);
    }

    /// Ends in a moment, without a word.
    void stop() {
        isClosing = true;
    }

    @Override
    public void close() {
        stop();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
