package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonObject;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.ZMQ;
import zmq.io.mechanism.curve.Curve;
import zmq.util.Z85;

/// Encryption and the keys of workers, over real sockets.
@Timeout(Await.HUNG)
final class CurveTest {
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final ZMQ.Curve.KeyPair orchestrator = ZMQ.Curve.generateKeyPair();
    private final ZMQ.Curve.KeyPair worker = ZMQ.Curve.generateKeyPair();

    @TempDir Path folder;

    private ZeroMqServer server(Optional<Path> clients) {
        return new ZeroMqServer(
                ZeroMqConfig.DEFAULTS
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withTerms(ZeroMqServer.PATIENT)
                        .withCurve(
                                new CurveKeys(
                                        orchestrator.publicKey, orchestrator.secretKey, clients)));
    }

    /// By the clock of the test.
    private ZeroMqServer timed() {
        return new ZeroMqServer(
                ZeroMqConfig.DEFAULTS
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withCurve(
                                new CurveKeys(
                                        orchestrator.publicKey,
                                        orchestrator.secretKey,
                                        Optional.empty())),
                clock,
                WorkerTokens.shared(ZeroMqServer.TOKEN));
    }

    @AfterEach
    void close() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
    }

    private RawPeer stranger(ZeroMqServer server, String from) throws IOException {
        var stranger = RawPeer.encrypted(server.ports().registration(), from);
        open.add(stranger);
        return stranger;
    }

    private PushPeer peer(ZeroMqServer server, ZMQ.Curve.KeyPair keys) {
        return new PushPeer(
                server.ports(),
                "w1",
                socket -> {
                    socket.setCurveServerKey(orchestrator.publicKey.getBytes(US_ASCII));
                    socket.setCurvePublicKey(keys.publicKey.getBytes(US_ASCII));
                    socket.setCurveSecretKey(keys.secretKey.getBytes(US_ASCII));
                });
    }

    /// With an identity that nobody else knows.
    private PushPeer secret(
            ZeroMqServer server, ZMQ.Curve.KeyPair keys, String name, String identity) {
        return new PushPeer(
                server.ports(),
                name,
                socket -> {
                    socket.setIdentity(("~" + identity.repeat(32)).getBytes(US_ASCII));
                    socket.setCurveServerKey(orchestrator.publicKey.getBytes(US_ASCII));
                    socket.setCurvePublicKey(keys.publicKey.getBytes(US_ASCII));
                    socket.setCurveSecretKey(keys.secretKey.getBytes(US_ASCII));
                });
    }

    /// Trap: each greeting and each `HELLO` takes some milliseconds of the one thread that carries all workers, and a stranger without any key sends thousands.
    @Test
    void newConnectionsOfAStranger_areFewInASecond_andWorkersOfOtherAddressesComeIn()
            throws IOException {
        try (var server = timed()) {
            for (var count = 0; count < 100; count++) {
                var _ = stranger(server, "127.0.0.2");
            }
            await().until(() -> server.gateway().counts().refused() == 80);
            assertThat(server.gateway().connections()).isLessThanOrEqualTo(20);

            try (var good = peer(server, worker)) {
                good.join(1);
            }
            clock.advance(NewConnections.WITHIN);
            stranger(server, "127.0.0.2").greeted();
        }
    }

    /// Trap: connections that were let in one after the other send what is expensive all at once.
    @Test
    void aStrangerThatHoldsItsHandshakeBack_isNotListenedTo() throws IOException {
        try (var server = timed()) {
            // The library has a clock of its own for handshakes, which a busy machine may exceed.
            await().ignoreExceptionsInstanceOf(IOException.class)
                    .until(() -> isAnswered(server, PeerFrames.HANDSHAKE));

            assertThat(isAnswered(server, PeerFrames.HANDSHAKE.plusMillis(1))).isFalse();
        }
    }

    /// Whether the `HELLO` of a stranger is answered that holds it back.
    private boolean isAnswered(ZeroMqServer server, Duration late) throws IOException {
        var stranger = stranger(server, "127.0.0.2");
        stranger.greeted();
        clock.advance(late);
        stranger.command(hello());
        return stranger.isAnswered();
    }

    /// A `HELLO` with the public key of the orchestrator.
    private byte[] hello() {
        var curve = new Curve();
        var own = curve.keypair();
        var nonce = ByteBuffer.allocate(24);
        nonce.put("CurveZMQHELLO---".getBytes(US_ASCII)).putLong(1);
        var box = ByteBuffer.allocate(96);
        var plain = ByteBuffer.allocate(96);
        var _ = curve.box(box, plain, 96, nonce, Z85.decode(orchestrator.publicKey), own[1]);
        return ByteBuffer.allocate(200)
                .put((byte) 5)
                .put("HELLO".getBytes(US_ASCII))
                .put((byte) 1)
                .position(80)
                .put(own[0])
                .putLong(1)
                .put(box.array(), 16, 80)
                .array();
    }

    @Test
    void aWorkerThatKnowsThePublicKey_isServedEncrypted() {
        try (var server = server(Optional.empty());
                var peer = peer(server, worker)) {
            peer.join(1);
            var job = server.engine.submit("echo");

            assertThat(peer.succeed(peer.task())).isEqualTo("ACCEPTED");
            assertThat(server.engine.applied(job)).hasSize(1);
        }
    }

    @Test
    void aWorkerWithoutEncryption_orWithAnotherKeyOfTheOrchestrator_isNotServed() {
        var other = ZMQ.Curve.generateKeyPair();
        try (var server = server(Optional.empty());
                // The library gives such a connection up for good, and a send would wait for
                // another one.
                var plain = new PushPeer(server.ports(), "w1", socket -> socket.setSendTimeOut(0));
                var mistaken =
                        new PushPeer(
                                server.ports(),
                                "w2",
                                socket -> {
                                    socket.setCurveServerKey(other.publicKey.getBytes(US_ASCII));
                                    socket.setCurvePublicKey(worker.publicKey.getBytes(US_ASCII));
                                    socket.setCurveSecretKey(worker.secretKey.getBytes(US_ASCII));
                                })) {
            plain.send(WirePort.REGISTRATION, "READY", plain.ready(1));
            mistaken.send(WirePort.REGISTRATION, "READY", mistaken.ready(1));

            assertThat(plain.next(WirePort.REGISTRATION, (int) SHORT.toMillis())).isNull();
            assertThat(mistaken.next(WirePort.REGISTRATION, (int) SHORT.toMillis())).isNull();
            try (var good = peer(server, worker)) {
                good.join(1);
            }
        }
    }

    @Test
    void withAListOfKeys_onlyTheirWorkersAreServed_andTheListIsReadAgain() throws IOException {
        var list = folder.resolve("workers.keys");
        Files.writeString(list, "# keys of workers\n" + worker.publicKey + "\n");
        var stranger = ZMQ.Curve.generateKeyPair();
        try (var server = server(Optional.of(list))) {
            try (var peer = peer(server, stranger)) {
                peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));
                assertThat(peer.next(WirePort.REGISTRATION, (int) SHORT.toMillis())).isNull();
            }
            try (var peer = peer(server, worker)) {
                peer.join(1);
                peer.send(WirePort.REGISTRATION, "BYE", JsonObject.EMPTY);
            }
            server.engine.await("it left", () -> server.gateway().workers() == 0);

            Files.writeString(list, stranger.publicKey + "\n");
            Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(10)));

            try (var peer = peer(server, stranger)) {
                peer.join(1);
            }
        }
    }

    /// Trap: with any permitted key one is any worker, reads its parameters and forges its results.
    @Test
    void aKeyWithAName_isThatOfNoOtherWorker_andNobodyElseHasThatName() throws IOException {
        var list = folder.resolve("workers.keys");
        var evil = ZMQ.Curve.generateKeyPair();
        var unnamed = ZMQ.Curve.generateKeyPair();
        Files.writeString(
                list,
                worker.publicKey
                        + " gpu-*\n"
                        + evil.publicKey
                        + "\tevil\n"
                        + unnamed.publicKey
                        + "\n");
        try (var server = server(Optional.of(list));
                var good = secret(server, worker, "gpu-1", "a");
                var impostor = secret(server, evil, "gpu-1", "b");
                var second = secret(server, unnamed, "gpu-1", "c");
                var other = secret(server, worker, "evil", "d")) {
            refused(impostor, "gpu-1");
            refused(second, "gpu-1");
            refused(other, "evil");

            good.join(1);
            var job = server.engine.submit("echo");
            var task = good.task();
            impostor.send(WirePort.TASKS, "HELLO", impostor.inSession(JsonObject.EMPTY));
            assertThat(impostor.receive(WirePort.TASKS, "REJECT").text("message"))
                    .contains("is not that of the worker gpu-1");

            assertThat(good.succeed(task)).isEqualTo("ACCEPTED");
            assertThat(server.engine.applied(job)).hasSize(1);
            try (var free = secret(server, unnamed, "cpu-1", "e");
                    var itself = secret(server, evil, "evil", "f")) {
                free.join(1);
                itself.join(1);
            }
        }
    }

    /// Trap: who connects with the identity of a worker gets what is sent to it, without a word of its own.
    @Test
    void aNameThatIsBoundToAKey_isNoIdentity() throws IOException {
        var list = folder.resolve("workers.keys");
        Files.writeString(list, worker.publicKey + " w1\n");
        try (var server = server(Optional.of(list));
                var peer = peer(server, worker)) {
            peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));

            assertThat(peer.receive(WirePort.REGISTRATION, "REJECT").text("message"))
                    .contains("binds the name w1 to a key");
        }
    }

    @Test
    void aKeyWithANameThatIsNone_isNotLetIn() throws IOException {
        var list = folder.resolve("workers.keys");
        Files.writeString(list, worker.publicKey + " *-1\n");
        try (var server = server(Optional.of(list));
                var peer = secret(server, worker, "gpu-1", "a")) {
            peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));

            assertThat(peer.next(WirePort.REGISTRATION, (int) SHORT.toMillis())).isNull();
        }
    }

    /// Trap: the connection of a key that was removed is good for every name that no line has.
    @Test
    void aKeyThatWasRemoved_isGoodForNobody_alsoOverTheConnectionItHas() throws IOException {
        var list = folder.resolve("workers.keys");
        var other = ZMQ.Curve.generateKeyPair();
        Files.writeString(list, worker.publicKey + "\n");
        try (var server = server(Optional.of(list));
                var peer = secret(server, worker, "cpu-1", "a")) {
            peer.join(1);

            Files.writeString(list, other.publicKey + "\n");
            Files.setLastModifiedTime(list, FileTime.from(Instant.now().plusSeconds(10)));

            Await.await("its key is refused")
                    .untilAsserted(() -> {
                        peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));
                        assertThat(peer.next(WirePort.REGISTRATION, (int) SHORT.toMillis()))
                                .isNotNull()
                                .satisfies(answer -> assertThat(answer.kind()).isEqualTo("REJECT"))
                                .satisfies(answer ->
                                        assertThat(answer.text("message"))
                                                .contains("is not in the file"));
                    });
        }
    }

    @Test
    void aLineThatCannotBeRead_letsNobodyIn_andNobodyElseHasItsNames() throws IOException {
        var list = folder.resolve("workers.keys");
        var alone = ZMQ.Curve.generateKeyPair();
        Files.writeString(
                list,
                "# names behind the keys: cpu-1\n"
                        + worker.publicKey
                        + " gpu-1, *-of-a\n"
                        + "too-short gpu-2\n"
                        + alone.publicKey
                        + "\n");
        var keys = new ClientKeys(list);

        assertThat(keys.contains(worker.publicKey)).isFalse();
        for (var name : new String[] {"gpu-1", "gpu-2", "cpu-of-a"}) {
            assertThat(keys.bind(name)).as(name).isTrue();
            for (var key : new String[] {worker.publicKey, alone.publicKey, ""}) {
                assertThat(keys.refusal(key, name)).as(name).isPresent();
            }
        }
        assertThat(keys.refusal(alone.publicKey, "cpu-1")).isEmpty();
        assertThat(keys.refusal(worker.publicKey, "cpu-1")).isPresent();
        assertThat(keys.refusal("", "cpu-1")).isPresent();
    }

    @Test
    void aKeyThatBeginsAsACommentDoes_isAKey() throws IOException {
        var list = folder.resolve("workers.keys");
        var key = "#" + "k".repeat(39);
        Files.writeString(list, key + " gpu-1\n# " + worker.publicKey + " gpu-2\n");
        var keys = new ClientKeys(list);

        assertThat(keys.refusal(key, "gpu-1")).isEmpty();
        assertThat(keys.contains(worker.publicKey)).isFalse();
        assertThat(keys.bind("gpu-2")).isFalse();
    }

    private static void refused(PushPeer peer, String worker) {
        peer.send(WirePort.REGISTRATION, "READY", peer.ready(1));
        var answer = peer.receive(WirePort.REGISTRATION, "REJECT");
        assertThat(answer.text("code")).isEqualTo("BAD_TOKEN");
        assertThat(answer.text("message"))
                .contains("is not that of the worker " + worker)
                .contains("zeromq.curve-clients");
    }

    @Test
    void aListThatIsNotThere_preventsTheStart() {
        assertThatThrownBy(() -> server(Optional.of(folder.resolve("missing"))))
                .hasMessageContaining("zeromq.curve-clients");
    }

    @Test
    void keysThatAreNone_areRefused_andTheSecretOneIsNotShown() {
        assertThatThrownBy(() -> new CurveKeys("short", orchestrator.secretKey, Optional.empty()))
                .hasMessageContaining("zeromq.curve-public-key");
        assertThatThrownBy(() -> new CurveKeys(orchestrator.publicKey, "short", Optional.empty()))
                .hasMessageContaining("zeromq.curve-secret-key");
        var keys = new CurveKeys(orchestrator.publicKey, orchestrator.secretKey, Optional.empty());
        assertThat(keys.toString()).doesNotContain(orchestrator.secretKey);
    }
}
