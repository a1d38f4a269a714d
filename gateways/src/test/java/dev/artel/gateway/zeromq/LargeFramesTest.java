package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.REGISTRATION;
import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskReport;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.waits.Await;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.ZMQ;
import zmq.Msg;

/// Frames that are larger than a message may be.
@Timeout(Await.HUNG)
final class LargeFramesTest {
    private static final int LIMIT = 2 << 20;
    private static final int BEYOND_THE_LIMIT = 10 << 20;
    private static final int BEYOND_ALL = 40 << 20;

    private static final ZeroMqConfig CONFIG =
            ZeroMqConfig.DEFAULTS
                    .withPorts(ZeroMqConfig.Ports.FREE)
                    .withMaxMessageBytes(LIMIT)
                    .withTerms(ZeroMqServer.PATIENT);

    private static JsonString large() {
        return new JsonString("x".repeat(BEYOND_THE_LIMIT));
    }

    /// Trap: the connection ended, the result came again over the next one, and so on until the time of the task was over.
    @Test
    void aResult_endsItsAttempt_whetherItIsInTheBodyOrAttached() {
        try (var server = new ZeroMqServer(CONFIG);
                var peer = new PushPeer(server.ports(), "w1")) {
            peer.join(2);
            var inTheBody = server.engine.submit("echo");
            assertThat(peer.report(PushPeer.completed(peer.task(), large()))).isEqualTo("ACCEPTED");
            var attached = server.engine.submit("echo");
            peer.send(
                    RESULTS,
                    "RESULT",
                    PushPeer.completed(peer.task(), JsonObject.of("$frame", JsonNumber.of(0))),
                    List.of(new byte[BEYOND_THE_LIMIT]));
            assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");

            assertThat(code(server, inTheBody)).isEqualTo("RESULT_TOO_LARGE");
            assertThat(code(server, attached)).isEqualTo("RESULT_TOO_LARGE");
            assertThat(server.gateway().counts().cut()).isZero();
        }
    }

    private static String code(ZeroMqServer server, JobId job) {
        assertThat(server.engine.applied(job)).hasSize(1);
        return ((TaskReport.Failed) server.engine.applied(job).getFirst()).error().code();
    }

    @Test
    void anyOtherMessage_isRejected_andItsWorkerGoesOn() {
        try (var server = new ZeroMqServer(CONFIG);
                var peer = new PushPeer(server.ports(), "w1")) {
            peer.send(REGISTRATION, "READY", peer.ready(1).with("labels", large()));
            var reject = peer.receive(REGISTRATION, "REJECT");
            assertThat(reject.text("code")).isEqualTo("BAD_FRAME");
            assertThat(reject.text("message")).contains("1048576 bytes").contains("by address");
            peer.sendFrames(RESULTS, List.of(new byte[BEYOND_THE_LIMIT]));
            assertThat(peer.receive(RESULTS, "REJECT").text("message")).contains("1048576 bytes");

            peer.join(1);
            assertThat(peer.beat(1).kind()).isEqualTo("HEARTBEAT_ACK");
        }
    }

    @Test
    void underEncryption_aResultEndsItsAttemptAsWell() {
        var orchestrator = ZMQ.Curve.generateKeyPair();
        var worker = ZMQ.Curve.generateKeyPair();
        var keys = new CurveKeys(orchestrator.publicKey, orchestrator.secretKey, Optional.empty());
        try (var server = new ZeroMqServer(CONFIG.withCurve(keys));
                var peer =
                        new PushPeer(
                                server.ports(),
                                "w1",
                                socket -> {
                                    socket.setCurveServerKey(
                                            orchestrator.publicKey.getBytes(US_ASCII));
                                    socket.setCurvePublicKey(worker.publicKey.getBytes(US_ASCII));
                                    socket.setCurveSecretKey(worker.secretKey.getBytes(US_ASCII));
                                })) {
            peer.join(1);
            var job = server.engine.submit("echo");

            assertThat(peer.report(PushPeer.completed(peer.task(), large()))).isEqualTo("ACCEPTED");
            assertThat(code(server, job)).isEqualTo("RESULT_TOO_LARGE");
        }
    }

    @Test
    void aFrameBeyondAllLimits_endsItsConnection_andIsCounted() {
        try (var server = new ZeroMqServer(CONFIG);
                var good = new PushPeer(server.ports(), "good");
                var large = new PushPeer(server.ports(), "large")) {
            good.join(1);
            large.sendFrames(RESULTS, List.of(new byte[BEYOND_ALL]));

            await().until(() -> server.gateway().counts().cut() == 1);
            assertThat(good.beat(1).kind()).isEqualTo("HEARTBEAT_ACK");
            assertThat(server.errors).isEmpty();
        }
    }

    private static Msg next(PeerFrames peer, int length) {
        return peer.allocate(length);
    }

    /// A connection that has greeted.
    private static PeerFrames stranger(FrameRoom room) {
        var peer = PeerFrames.plain(room, new PeerIdentities(), _ -> {});
        var _ = peer.allocate(30);
        return peer;
    }

    private static PeerFrames worker(FrameRoom room) {
        var peer = stranger(room);
        peer.know();
        return peer;
    }

    @Test
    void oneLargeFrameAtATime_staysAsItIs_andThoseBesideItAreLost() {
        var room = new FrameRoom(LIMIT);
        var peer = worker(room);
        var first = next(peer, LIMIT + 1);
        var second = next(worker(room), LIMIT + 2);
        var _ = first.buf().put(new byte[] {1, 2, 3});
        var _ = second.buf().put(new byte[] {4, 5, 6});

        assertThat(room.isTooLarge(first)).isTrue();
        assertThat(second.size()).isEqualTo(LIMIT + 2);
        assertThat(FrameRoom.isLost(second)).isTrue();
        assertThat(FrameRoom.isLost(next(peer, LIMIT + 1))).isTrue();
        assertThat(FrameRoom.isLost(first)).isFalse();
        assertThat(room.beginning(first, 3)).containsExactly(1, 2, 3);
        assertThat(FrameRoom.isLost(next(peer, LIMIT + 1))).isFalse();
        assertThat(room.isTooLarge(next(peer, LIMIT))).isFalse();
        assertThat(next(peer, -1).size()).isZero();
        assertThat(next(peer, room.largest() + 1).size()).isZero();
        assertThat(PeerFrames.plain(room, new PeerIdentities(), _ -> {}).allocate(-1).size())
                .isZero();
        assertThat(
                        PeerFrames.plain(room, new PeerIdentities(), _ -> {})
                                .allocate(room.largest() + 1)
                                .size())
                .isZero();
    }

    /// Trap: a stranger that announced frames of 8 MiB, and sent a hundred bytes of each, took 8 MiB of memory for each.
    @Test
    void largeFramesThatAreNotReadYet_haveABoundTogether_andSmallOnesGoOn() {
        var room = new FrameRoom(LIMIT, 4L * LIMIT, LIMIT);
        var first = next(worker(room), LIMIT);
        var others = List.of(next(worker(room), LIMIT), next(worker(room), LIMIT));
        var late = worker(room);

        assertThat(FrameRoom.isLost(next(late, LIMIT))).isTrue();
        assertThat(FrameRoom.isLost(next(late, 1_000))).isFalse();

        assertThat(room.read(first)).hasSize(LIMIT);
        assertThat(FrameRoom.isLost(next(late, LIMIT))).isFalse();
        assertThat(others).noneMatch(FrameRoom::isLost);
    }

    @Test
    void aConnection_hasHalfOfTheRoomThatOthersLeave() {
        var room = new FrameRoom(LIMIT, 4L * LIMIT, LIMIT);
        var greedy = worker(room);
        var held = List.of(next(greedy, LIMIT), next(greedy, LIMIT));

        assertThat(FrameRoom.isLost(next(greedy, 20_000))).isTrue();
        assertThat(FrameRoom.isLost(next(worker(room), LIMIT))).isFalse();
        assertThat(held).noneMatch(FrameRoom::isLost);
    }

    /// Trap: each part of a message was small, and all of them were large.
    @Test
    void smallFramesOfALargeMessage_countAsItDoes() {
        var room = new FrameRoom(LIMIT, 4L * LIMIT, 100_000);
        var peer = stranger(room);
        var lost = 0;
        for (var part = 0; part < 20; part++) {
            var frame = next(peer, 16_000);
            frame.setFlags(Msg.MORE);
            lost += FrameRoom.isLost(frame) ? 1 : 0;
        }

        assertThat(lost).isEqualTo(16);
    }

    private static void begin(List<RawPeer> strangers, ZeroMqServer server, long count, int length)
            throws IOException {
        for (var number = 0; number < count; number++) {
            var stranger = RawPeer.connect(server.ports().results());
            strangers.add(stranger);
            stranger.begin(length);
        }
    }

    /// Trap: 77 frames that strangers announced, without a token, and never sent, kept all large results of all workers away.
    @Test
    void framesThatStrangersDoNotEnd_leaveTheirsToWorkers() throws IOException {
        var strangers = new ArrayList<RawPeer>();
        try (var server = new ZeroMqServer(CONFIG);
                var peer = new PushPeer(server.ports(), "w1");
                var other = new PushPeer(server.ports(), "other")) {
            peer.join(1);
            var room = Math.max(Runtime.getRuntime().maxMemory() / 32, 2L * LIMIT);
            begin(strangers, server, room / LIMIT, LIMIT);
            await().until(() -> {
                begin(strangers, server, 10, 50_000);
                other.sendFrames(RESULTS, List.of(new byte[100_000]));
                return other.receive(RESULTS, "REJECT").text("code").equals("BUSY");
            });

            var job = server.engine.submit("echo");
            peer.send(
                    RESULTS,
                    "RESULT",
                    PushPeer.completed(peer.task(), JsonObject.of("$frame", JsonNumber.of(0))),
                    List.of(("\"" + "x".repeat(1_000_000) + "\"").getBytes(US_ASCII)));
            assertThat(peer.receive(RESULTS, "RESULT_ACK").text("outcome")).isEqualTo("ACCEPTED");
            assertThat(server.engine.applied(job)).hasSize(1);
        } finally {
            for (var stranger : strangers) {
                stranger.close();
            }
        }
    }

    /// Its messages are hidden, so that its age alone shows that it is a worker's.
    @Test
    void underEncryption_aConnectionHasTheRoomOfWorkers_whenItIsOldEnough() {
        var clock = new ManualClock();
        var room = new FrameRoom(LIMIT, 4L * LIMIT, LIMIT);
        var peer = PeerFrames.encrypted(room, new DeliveredFrames(), clock);
        var _ = peer.allocate(200);
        var _ = peer.allocate(300);
        clock.advance(PeerConnections.UNKNOWN);
        assertThat(FrameRoom.isLost(next(peer, LIMIT))).isTrue();

        clock.advance(PeerFrames.OLD.minus(PeerConnections.UNKNOWN));
        assertThat(FrameRoom.isLost(next(peer, LIMIT))).isFalse();
    }
}
