package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Nothing that comes over the network ends a thread, or harms a worker that keeps to the protocol.
@Timeout(Await.HUNG)
final class GarbageTest {
    private final ZeroMqServer server = ZeroMqServer.patient();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @EnumSource(WirePort.class)
    void aFrameThatIsNone_isCounted_answered_andHarmsNobody(WirePort port) {
        try (var garbage = new PushPeer(server.ports(), "garbage")) {
            garbage.sendFrames(port, List.of(new byte[] {1, 2, 3}));

            assertThat(garbage.receive(port, "REJECT").text("code")).isEqualTo("BAD_FRAME");

            garbage.sendFrames(port, PushFrames.write("NONSENSE", JsonObject.EMPTY));
            assertThat(garbage.receive(port, "REJECT").text("message")).contains("NONSENSE");
            assertThat(server.gateway().counts().bad()).containsEntry(port.word(), 2L);
        }
        assertStillWorks();
    }

    /// Trap: a peer sends what stands for the end of its connection, and what waits for it is counted no more.
    @ParameterizedTest
    @EnumSource(WirePort.class)
    void noPeer_isGoneByItsOwnWord(WirePort port) {
        try (var garbage = new PushPeer(server.ports(), "garbage")) {
            garbage.sendFrames(port, List.of("\0GONE".getBytes(US_ASCII)));

            assertThat(garbage.receive(port, "REJECT").text("code")).isEqualTo("BAD_FRAME");
        }
    }

    @ParameterizedTest
    @EnumSource(WirePort.class)
    void messagesOfAnyFrames_leaveAllThreadsAlive(WirePort port) {
        try (var garbage = new PushPeer(server.ports(), "garbage")) {
            for (var seed = 0L; seed < 2_000; seed++) {
                garbage.sendFrames(port, frames(new SplittableRandom(seed)));
            }
            await().until(() -> received(port) + server.gateway().counts().dropped() >= 2_000);
        }
        assertStillWorks();
    }

    private long received(WirePort port) {
        return server.gateway().counts().received().getOrDefault(port.word(), 0L);
    }

    private static List<byte[]> frames(SplittableRandom random) {
        var frames = new ArrayList<byte[]>();
        var count = random.nextInt(1, 8);
        for (var i = 0; i < count; i++) {
            var frame = new byte[random.nextInt(50)];
            random.nextBytes(frame);
            frames.add(frame);
        }
        return frames;
    }

    @Test
    void membersOfTheWrongKind_leaveAllThreadsAlive() {
        try (var garbage = new PushPeer(server.ports(), "garbage")) {
            garbage.join(1);
            for (var kind :
                    List.of(
                            "READY",
                            "HEARTBEAT",
                            "DRAIN",
                            "BYE",
                            "HELLO",
                            "ACCEPT",
                            "REFUSE",
                            "RESULT",
                            "CALL")) {
                for (var value : List.of("7", "null", "[]", "{}", "\"\"", "[1]", "{\"a\":[]}")) {
                    for (var port : WirePort.values()) {
                        garbage.sendFrames(port, PushFrames.write(kind, odd(value)));
                    }
                }
            }
            garbage.send(
                    WirePort.RESULTS, "CALL", JsonObject.of("call_id", new JsonString("last")));
            garbage.receive(WirePort.RESULTS, "CALL_FAILED");
        }
        assertStillWorks();
        assertThat(server.gateway().counts().failures()).isZero();
    }

    private static JsonObject odd(String value) {
        var odd = JsonText.read(value);
        var body = JsonObject.builder();
        for (var name :
                List.of(
                        "worker_id",
                        "instance",
                        "session",
                        "capacity",
                        "token",
                        "labels",
                        "running",
                        "task_types",
                        "seq",
                        "idle",
                        "lease_id",
                        "task_id",
                        "status",
                        "result",
                        "error",
                        "code",
                        "call_id",
                        "op",
                        "body",
                        "reason")) {
            body.put(name, odd);
        }
        return body.build();
    }

    /// Not even the handshake of ZeroMQ.
    @ParameterizedTest
    @EnumSource(WirePort.class)
    void bytesThatAreNoZeroMq_leaveAllThreadsAlive(WirePort port) throws IOException {
        var random = new SplittableRandom(7);
        for (var connection = 0; connection < 60; connection++) {
            try (var socket = new Socket()) {
                socket.connect(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), server.ports().of(port)),
                        5_000);
                var bytes = new byte[random.nextInt(1, 300)];
                random.nextBytes(bytes);
                if (connection % 3 > 0) {
                    greeting(bytes, connection % 3 == 1);
                }
                socket.getOutputStream().write(bytes);
                socket.getOutputStream().flush();
                if (connection % 2 == 0) {
                    socket.setSoLinger(true, 0); // a reset
                }
            } catch (IOException closed) {
                // The other side may close at once.
            }
        }
        assertStillWorks();
    }

    /// The first bytes of a greeting of ZMTP 3, so that what follows is taken for more than noise.
    private static void greeting(byte[] bytes, boolean isComplete) {
        var greeting = new byte[64];
        greeting[0] = (byte) 0xff;
        greeting[8] = 1;
        greeting[9] = 0x7f;
        greeting[10] = 3;
        var mechanism = "NULL".getBytes(US_ASCII);
        System.arraycopy(mechanism, 0, greeting, 12, mechanism.length);
        System.arraycopy(greeting, 0, bytes, 0, Math.min(bytes.length, isComplete ? 64 : 12));
    }

    @Test
    void aPeerThatFloods_losesItsOwnMessages_andNoOnes() {
        try (var flood = new PushPeer(server.ports(), "flood");
                var good = new PushPeer(server.ports(), "good")) {
            good.join(1);
            for (var i = 0; i < 30_000; i++) {
                flood.sendFrames(WirePort.REGISTRATION, List.of(new byte[] {1}));
                if (i % 3_000 == 0) {
                    assertThat(good.beat(1).kind()).isEqualTo("HEARTBEAT_ACK");
                }
            }
            server.engine.submit("echo");
            assertThat(good.succeed(good.task())).isEqualTo("ACCEPTED");
        }
    }

    private void assertStillWorks() {
        assertThat(server.gateway().isAlive()).isTrue();
        assertThat(server.errors).isEmpty();
        try (var good = new PushPeer(server.ports(), "good")) {
            good.join(1);
            assertThat(good.beat(1).kind()).isEqualTo("HEARTBEAT_ACK");
            var job = server.engine.submit("echo");
            assertThat(good.succeed(good.task())).isEqualTo("ACCEPTED");
            assertThat(server.engine.applied(job)).hasSize(1);
        }
    }
}
