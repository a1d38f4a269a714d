package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.limited;
import static dev.artel.worker.server.hub.HubFixture.message;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Seeded sequences of frames, of good peers and of those that are broken or mean, with the hub's owner at work and the
/// clock going on. Nothing escapes, and the pool is consistent behind each step.
///
/// `-Dframes=` sets how many frames all sequences together have, `-Dseed=` repeats one of them.
final class HostileFramesTest {
    private static final int FRAMES_OF_A_SEQUENCE = 1_000;
    private static final List<String> IDS = List.of("a", "b", "c", "d");
    private static final List<String> TYPES =
            List.of(
                    "worker_registration",
                    "heartbeat",
                    "worker_draining",
                    "work_accepted",
                    "work_complete",
                    "t");

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null
                ? LongStream.range(
                        0, Math.max(1, Integer.getInteger("frames", 20_000) / FRAMES_OF_A_SEQUENCE))
                : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void framesOfAnyKind_leaveTheHubConsistent(long seed) {
        try (var log = new CapturedLog()) {
            var campaign = new Campaign(seed);
            for (var i = 0; i < FRAMES_OF_A_SEQUENCE; i++) {
                campaign.step();
                campaign.check("frame " + i);
            }
            campaign.end();
            assertThat(log.errors()).as("errors in the log").isEmpty();
        }
    }

    private static final class Campaign {
        private final SplittableRandom random;
        private final HubFixture fixture;
        private final WorkerHub hub;
        private final List<FakeConnection> peers = new ArrayList<>();
        private final HashSet<String> dispatched = new HashSet<>();
        private int requests;

        Campaign(long seed) {
            random = new SplittableRandom(seed);
            fixture =
                    new HubFixture(
                            HubOptions.DEFAULTS
                                    .withDuplicates(
                                            random.nextBoolean()
                                                    ? HubOptions.Duplicates.REFUSE
                                                    : HubOptions.Duplicates.REPLACE)
                                    .withLimits(
                                            HubLimits.DEFAULTS
                                                    .withMaxMessageBytes(2_000)
                                                    .withQueue(20, 20_000)
                                                    .withMaxConnections(12)
                                                    .withMaxWaitingRequests(5))
                                    .withTimes(
                                            HubTimes.DEFAULTS.withRequests(
                                                    Duration.ofSeconds(5),
                                                    Duration.ofMinutes(2),
                                                    3)));
            hub = fixture.hub;
            hub.onMessage(
                    "work_complete",
                    event -> {
                        if (random.nextInt(4) == 0) {
                            event.fail();
                        } else {
                            event.complete();
                        }
                    });
            hub.onUnregisteredMessage(event -> assertThat(event.complete()).isFalse());
        }

        void step() {
            switch (random.nextInt(14)) {
                case 0 -> open();
                case 1 -> own();
                case 2 -> pass();
                case 3 -> disturb();
                default -> frame();
            }
        }

        private void open() {
            var peer = new FakeConnection("10.0.0." + peers.size());
            peer.pongs = random.nextInt(4) > 0;
            peer.closes = random.nextInt(4) > 0;
            peers.add(peer.openOn(hub));
        }

        private void own() {
            switch (random.nextInt(7)) {
                case 0 -> hub.releaseRequest(request());
                case 1 -> hub.completeRequest(request());
                case 2 -> hub.trackRequest(id(), "own-" + requests++, category());
                case 3 -> hub.drain(id(), "test");
                case 4 -> hub.broadcast(message("note", "x"));
                default -> {
                    var id = "r-" + requests++;
                    var request = DispatchRequest.of(work(id));
                    if (random.nextBoolean()) {
                        request = DispatchRequest.of("m1", work(id)).withCategory(category());
                    }
                    hub.dispatch(request).ifPresent(handle -> dispatched.add(handle.requestId()));
                }
            }
        }

        private void pass() {
            if (random.nextInt(20) == 0) {
                fixture.move(Duration.ofMinutes(5));
            } else {
                fixture.advance(Duration.ofMillis(random.nextInt(8_000)));
            }
        }

        private void disturb() {
            if (peers.isEmpty()) {
                return;
            }
            var peer = peers.get(random.nextInt(peers.size()));
            switch (random.nextInt(6)) {
                case 0 -> peer.closedByPeer();
                case 1 -> peer.takes = false;
                case 2 -> peer.takeHeld();
                case 3 -> peer.throwsOnSend = !peer.throwsOnSend;
                case 4 -> peer.input().onError(new IllegalStateException("reset"));
                default -> peer.breaks = random.nextInt(10) == 0;
            }
        }

        private void frame() {
            if (peers.isEmpty()) {
                open();
            }
            var peer = peers.get(random.nextInt(peers.size()));
            switch (random.nextInt(10)) {
                case 0 -> peer.sends(noise());
                case 1 -> peer.input().onBinary(ByteBuffer.wrap(bytes()));
                case 2 -> peer.input().onPong(ByteBuffer.wrap(bytes()));
                case 3 -> peer.sends(broken(registration(id(), capabilities(2, "m1"))));
                case 4 -> peer.sends(broken(message(type(), request())));
                case 5 ->
                        peer.sends(
                                JsonObject.builder()
                                        .put("type", type())
                                        .put("workerId", id())
                                        .put("requestId", request())
                                        .build());
                case 6 -> peer.sends(message("work_complete", request()));
                case 7 -> peer.sends(heartbeat(id()));
                default ->
                        peer.sends(
                                registration(
                                        id(),
                                        limited(
                                                        capabilities(1 + random.nextInt(3), "m1"),
                                                        "local",
                                                        random.nextInt(3))
                                                .with(
                                                        "metadata",
                                                        JsonObject.of(
                                                                "acceptsWork",
                                                                JsonValue.of(
                                                                        random.nextBoolean())))));
            }
        }

        /// A message of which one member has another value, or its text another character.
        private String broken(JsonObject message) {
            if (random.nextBoolean()) {
                var names = List.copyOf(message.names());
                var name = names.get(random.nextInt(names.size()));
                return text(message.with(name, any()));
            }
            var text = new StringBuilder(text(message));
            text.setCharAt(random.nextInt(text.length()), (char) (32 + random.nextInt(95)));
            return text.toString();
        }

        private JsonValue any() {
            var values =
                    List.of(
                            "null",
                            "true",
                            "-1",
                            "0",
                            "1e999",
                            "\"\"",
                            "\"x\"",
                            "[]",
                            "[[]]",
                            "{}",
                            "99999999999999999999",
                            "{\"type\":\"t\"}");
            return JsonText.read(values.get(random.nextInt(values.size())));
        }

        private String noise() {
            return switch (random.nextInt(6)) {
                case 0 -> "";
                case 1 -> "[".repeat(1 + random.nextInt(300));
                case 2 -> "{\"type\":\"t\",\"x\":\"" + "y".repeat(random.nextInt(3_000)) + "\"}";
                case 3 -> "{\"type\":\"t\",\"type\":\"t\"}";
                case 4 -> "\ud800" + random.nextInt();
                default -> new String(bytes(), StandardCharsets.ISO_8859_1);
            };
        }

        private byte[] bytes() {
            var bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            return bytes;
        }

        private String id() {
            return IDS.get(random.nextInt(IDS.size()));
        }

        private String type() {
            return TYPES.get(random.nextInt(TYPES.size()));
        }

        private String category() {
            return random.nextBoolean() ? "local" : "remote";
        }

        private String request() {
            return (random.nextInt(5) == 0 ? "own-" : "r-") + random.nextInt(requests + 1);
        }

        private static String text(JsonObject message) {
            return new String(JsonText.write(message), StandardCharsets.UTF_8);
        }

        void check(String step) {
            var owners = new HashMap<String, String>();
            for (var worker : hub.workers()) {
                var in = worker.requests();
                assertThat(in.active()).as(step).isEqualTo(in.pendingIds().size());
                assertThat(in.activeByCategory().values().stream().mapToInt(it -> it).sum())
                        .as(step)
                        .isLessThanOrEqualTo(in.active());
                assertThat(in.activeByCategory().values()).as(step).allMatch(count -> count > 0);
                for (var request : in.pendingIds()) {
                    assertThat(owners.put(request, worker.id()))
                            .as("%s: two owners of %s", step, request)
                            .isNull();
                }
            }
            assertThat(hub.connectionCount()).as(step).isLessThanOrEqualTo(12);
            assertThat(hub.waitingRequestCount()).as(step).isLessThanOrEqualTo(5);
            assertThat(fixture.connected.size() - fixture.disconnected.size())
                    .as("%s: sessions that began, less those that ended", step)
                    .isEqualTo(hub.workerCount());
        }

        /// Each session and each request has one end, and each connection that the hub closed a code.
        void end() {
            var _ = hub.stop(Duration.ZERO);
            check("after the stop");
            assertThat(hub.workerCount()).isZero();
            assertThat(fixture.disconnected)
                    .extracting(event -> event.worker().sessionId())
                    .doesNotHaveDuplicates();
            assertThat(fixture.orphaned)
                    .extracting(OrphanedRequest::requestId)
                    .doesNotHaveDuplicates();
            for (var peer : peers) {
                assertThat(peer.open).as("%s is open", peer.remoteAddress()).isFalse();
                if (peer.received("worker_registration_ack").stream()
                        .anyMatch(ack ->
                                ack.get("success").equals(Optional.of(JsonValue.of(false))))) {
                    assertThat(peer.terminated || peer.closeCode != 0)
                            .as("a refusal has a code")
                            .isTrue();
                }
            }
        }
    }
}
