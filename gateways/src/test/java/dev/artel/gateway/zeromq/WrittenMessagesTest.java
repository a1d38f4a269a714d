package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.zeromq.SocketType;
import org.zeromq.ZContext;
import org.zeromq.ZMQ;

/// What the library has begun to write, until the network has taken it.
@Timeout(Await.HUNG)
final class WrittenMessagesTest {
    /// More than the network takes of one connection that is not read.
    private static final int LARGE = 16 << 20;

    /// More than the library lets wait for a peer.
    private static final int MANY = 1_200;

    private static final WirePort PORT = WirePort.RESULTS;

    private final ZMQ.Curve.KeyPair orchestrator = ZMQ.Curve.generateKeyPair();
    private final ZMQ.Curve.KeyPair worker = ZMQ.Curve.generateKeyPair();
    private final Set<PeerName> peers = ConcurrentHashMap.newKeySet();
    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final ZContext context = new ZContext(1);
    private @Nullable RouterSockets sockets;
    private @Nullable RouterLoop loop;

    @AfterEach
    void close() {
        context.close();
        if (loop != null) {
            loop.close();
        }
        assertThat(errors).isEmpty();
    }

    private RouterLoop open(boolean isEncrypted) {
        var config =
                ZeroMqConfig.DEFAULTS
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withMaxMessageBytes(LARGE + 1_000);
        if (isEncrypted) {
            config =
                    config.withCurve(
                            new CurveKeys(
                                    orchestrator.publicKey,
                                    orchestrator.secretKey,
                                    Optional.empty()));
        }
        var counts = new ZeroMqCounts();
        sockets = new RouterSockets(config, InstantSource.system(), counts, errors::add);
        loop =
                new RouterLoop(
                        sockets,
                        new Receiver(),
                        InstantSource.system(),
                        counts,
                        config.maxMessageBytes());
        loop.start();
        return loop;
    }

    /// A connection; of `slow` next to nothing is read ahead.
    private ZMQ.Socket connect(RouterLoop to, String name, boolean isEncrypted) {
        var socket = context.createSocket(SocketType.DEALER);
        socket.setIdentity(name.getBytes(US_ASCII));
        if (name.equals("slow")) {
            socket.setRcvHWM(1);
            socket.setReceiveBufferSize(4_096);
        }
        // A connection of which the library loses sight is there again soon: BegunConnections.
        socket.setHandshakeIvl(3_000);
        socket.setLinger(0);
        if (isEncrypted) {
            socket.setCurveServerKey(orchestrator.publicKey.getBytes(US_ASCII));
            socket.setCurvePublicKey(worker.publicKey.getBytes(US_ASCII));
            socket.setCurveSecretKey(worker.secretKey.getBytes(US_ASCII));
        }
        socket.connect("tcp://127.0.0.1:" + Objects.requireNonNull(sockets).portOf(PORT));
        socket.send("here");
        await().until(() -> peers.contains(PeerName.ofWorker(name)));
        assertThat(to.isAlive()).isTrue();
        return socket;
    }

    private static boolean send(RouterLoop loop, String name, int bytes) {
        return loop.send(
                new OutgoingFrames(
                        PORT,
                        PeerName.ofWorker(name),
                        List.of(new byte[0], new byte[bytes]),
                        null,
                        false));
    }

    /// Lets a peer that does not read have small messages, and a large one that the library begins to write.
    private void stall(RouterLoop loop, String name, ZMQ.Socket other) {
        for (var count = 0; count < 4; count++) {
            assertThat(send(loop, name, 10)).isTrue();
        }
        assertThat(send(loop, name, LARGE)).isTrue();
        assertThat(send(loop, "other", 20)).isTrue();
        assertThat(receive(other)).isEqualTo(20);
        assertThat(send(loop, "other", 30)).isTrue();
        assertThat(receive(other)).as("the thread of the library has been there").isEqualTo(30);
    }

    /// How many bytes the last frame of the next message has.
    private static int receive(ZMQ.Socket socket) {
        var frames = new ArrayList<byte[]>();
        do {
            frames.add(socket.recv());
        } while (socket.hasReceiveMore());
        assertThat(frames).hasSize(2);
        return frames.getLast().length;
    }

    /// Trap: a message weighed nothing once its first byte was written.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aLargeMessageThatIsNotRead_waits(boolean isEncrypted) {
        var router = open(isEncrypted);
        var other = connect(router, "other", isEncrypted);
        var _ = connect(router, "slow", isEncrypted);

        stall(router, "slow", other);

        assertThat(router.unsent()).isBetween((long) LARGE, LARGE + 10_000L);
    }

    @Test
    void aLargeMessageThatIsReadLate_waitsNoMore() {
        var router = open(false);
        var other = connect(router, "other", false);
        var slow = connect(router, "slow", false);
        stall(router, "slow", other);

        for (var count = 0; count < 4; count++) {
            assertThat(receive(slow)).isEqualTo(10);
        }
        assertThat(receive(slow)).isEqualTo(LARGE);
        await().until(() -> router.unsent() == 0);
    }

    /// Trap: only the collector of garbage gave back the room of a connection that had ended.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWaitsForAConnectionThatEnds_waitsNoMore(boolean isEncrypted) {
        var router = open(isEncrypted);
        var other = connect(router, "other", isEncrypted);
        var slow = connect(router, "slow", isEncrypted);
        stall(router, "slow", other);

        slow.close();

        await().until(() -> router.unsent() == 0);
        peers.clear();
        var _ = connect(router, "slow", isEncrypted);
        assertThat(send(router, "slow", LARGE)).isTrue();
    }

    /// The library lets a thousand messages wait for a peer: what is sent behind them must not count.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void manyLargeMessages_areReadInOrder_andNothingWaitsBehindThem(boolean isEncrypted) {
        var router = open(isEncrypted);
        var peer = connect(router, "w1", isEncrypted);
        for (var count = 0; count < MANY; count++) {
            assertThat(send(router, "w1", 20_000 + count)).isTrue();
            assertThat(receive(peer)).isEqualTo(20_000 + count);
        }
        await().until(() -> router.unsent() == 0);
    }

    private final class Receiver implements RouterLoop.Receiver {
        @Override
        public void received(
                WirePort port,
                PeerName peer,
                @Nullable String key,
                List<byte[]> frames,
                boolean isCut,
                Instant at) {
            peers.add(peer);
        }

        @Override
        public void lost(WirePort port, PeerName peer) {
            errors.add(new AssertionError("a message of " + peer + " is lost"));
        }

        @Override
        public void disconnected(WirePort port, PeerName peer) {
            peers.remove(peer);
        }

        @Override
        public void tick(Instant now) {
            // Nothing happens by itself.
        }

        @Override
        public boolean hasSession(PeerName peer) {
            return false;
        }

        @Override
        public boolean hasRoom() {
            return true;
        }
    }
}
