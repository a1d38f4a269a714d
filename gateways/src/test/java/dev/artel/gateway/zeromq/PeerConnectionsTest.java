package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.REGISTRATION;
import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerTokens;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.ZContext;

/// Connections of strangers and of workers, over real sockets.
@Timeout(Await.HUNG)
final class PeerConnectionsTest {
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ManualClock clock = new ManualClock();

    @AfterEach
    void close() throws Exception {
        for (var one : open.reversed()) {
            one.close();
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }

    private ZeroMqServer server(int most) {
        return opened(
                new ZeroMqServer(
                        ZeroMqConfig.DEFAULTS
                                .withPorts(ZeroMqConfig.Ports.FREE)
                                .withMaxConnections(most),
                        clock,
                        WorkerTokens.shared(ZeroMqServer.TOKEN)));
    }

    /// Connected from an address of its own, and silent.
    private Socket stranger(String from, int port) throws IOException {
        return opened(
                new Socket(InetAddress.getLoopbackAddress(), port, InetAddress.getByName(from), 0));
    }

    /// One that has greeted, unless it was refused before: the library ends a connection without a greeting by a clock of its own, which a busy machine may
    /// exceed.
    private Socket greeted(String from, int port) throws IOException {
        var stranger = stranger(from, port);
        try {
            stranger.getOutputStream().write(RawPeer.introduction(""));
        } catch (IOException refused) {
            // There is no place for it.
        }
        return stranger;
    }

    /// Trap: idle connections of strangers took all files of the process, so that neither HTTP nor the store had any.
    @Test
    void connectionsOfAStranger_haveABound_andWorkersOfOtherAddressesAreServed()
            throws IOException {
        var server = server(24);
        for (var count = 0; count < 70; count++) {
            for (var port : WirePort.values()) {
                var _ = greeted("127.0.0.2", server.ports().of(port));
            }
        }
        await().until(() -> server.gateway().counts().refused() == 204);
        assertThat(server.gateway().connections()).isEqualTo(6);

        var worker = opened(new PushPeer(server.ports(), "w1"));
        worker.join(1);
        var job = server.engine.submit("echo");
        assertThat(worker.succeed(worker.task())).isEqualTo("ACCEPTED");
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    @Test
    void aConnectionThatIsRefused_isClosedAtOnce_andAnotherIsTakenWhenOneEnds() throws IOException {
        var server = server(12);
        var port = server.ports().results();
        var first = greeted("127.0.0.2", port);
        await().until(() -> server.gateway().connections() == 1);
        for (var count = 0; count < 2; count++) {
            var _ = greeted("127.0.0.2", port);
        }
        await().until(() -> server.gateway().connections() == 3);
        var refused = stranger("127.0.0.2", port);
        assertThat(endOf(refused)).isEqualTo(-1);

        first.close();
        await().until(() -> server.gateway().connections() == 2);
        var _ = greeted("127.0.0.2", port);
        await().until(() -> server.gateway().connections() == 3);
    }

    private static long received(ZeroMqServer server, WirePort port) {
        return server.gateway().counts().received().getOrDefault(port.word(), 0L);
    }

    private static int endOf(Socket socket) throws IOException {
        var in = socket.getInputStream();
        var next = in.read();
        while (next >= 0) {
            next = in.read();
        }
        return next;
    }

    /// The library has a time for the greeting alone, the first 64 bytes.
    @Test
    void aConnectionOverWhichNothingComes_ends_thoughItHasGreeted() throws IOException {
        var server = server(60);
        var silent = opened(RawPeer.connect(server.ports().registration()));
        clock.advance(PeerConnections.SILENT.minus(MOMENT));
        var later = opened(RawPeer.connect(server.ports().registration()));
        assertThat(server.gateway().connections()).isEqualTo(2);

        clock.advance(MOMENT);
        await().until(() -> server.gateway().connections() == 1);
        assertThat(silent.isAtEnd()).isTrue();
        await().until(() -> server.gateway().counts().overdue() == 1);

        later.end();
        await().until(() -> received(server, REGISTRATION) == 1);
        clock.advance(PeerConnections.SILENT);
        assertThat(server.gateway().connections()).isEqualTo(1);
    }

    @Test
    void aConnectionOverWhichNonsenseComes_ends() throws IOException {
        var server = server(60);
        var stranger = opened(RawPeer.connect(server.ports().registration()));
        stranger.end();
        await().until(() -> received(server, REGISTRATION) == 1);
        clock.advance(PeerConnections.SILENT);
        stranger.end();
        await().until(() -> received(server, REGISTRATION) == 2);

        clock.advance(PeerConnections.UNKNOWN.minus(PeerConnections.SILENT));
        await().until(() -> server.gateway().connections() == 0);
        await().until(() -> server.gateway().counts().overdue() == 1);
    }

    @Test
    void theConnectionsOfAWorker_stay_thoughNothingComesOverThem() {
        var server = server(60);
        var worker = opened(new PushPeer(server.ports(), "w1"));
        worker.join(1);
        for (var passed = Duration.ZERO;
                passed.compareTo(PeerConnections.UNKNOWN.multipliedBy(2)) < 0;
                passed = passed.plus(MOMENT)) {
            clock.advance(MOMENT);
            var _ = worker.beat(1);
        }
        assertThat(server.gateway().connections()).isEqualTo(3);
        assertThat(server.gateway().counts().overdue()).isZero();
        var job = server.engine.submit("echo");
        assertThat(worker.succeed(worker.task())).isEqualTo("ACCEPTED");
        assertThat(server.engine.applied(job)).hasSize(1);
    }

    /// What is refused connects again: more workers than there are places for strangers come in, one after the other.
    @Test
    void workersBehindOneAddress_haveHalfOfAll_whenAllConnectAtOnce() {
        var server = server(400);
        var context = opened(new ZContext(1));
        var workers = new ArrayList<PushPeer>();
        for (var number = 0; number < 60; number++) {
            workers.add(new PushPeer(server.ports(), "w" + number, _ -> {}, context));
        }
        for (var worker : workers) {
            worker.join(1);
            var _ = worker.beat(1);
        }
        assertThat(server.gateway().workers()).isEqualTo(60);
        await().until(() -> server.gateway().connections() == 180);
    }

    /// Trap: the library gives the identity to the later one, and never looks at the earlier one again, not even when its peer has ended it.
    @Test
    void aConnectionWhoseIdentityIsTaken_endsAllTheSame() throws IOException {
        var server = server(400);
        var port = server.ports().results();
        for (var round = 0; round < 8; round++) {
            var first = opened(RawPeer.connect(port, "same"));
            var messages = 2L * round;
            first.end();
            await().until(() -> received(server, RESULTS) == messages + 1);
            var second = opened(RawPeer.connect(port, "same"));
            second.end();
            await().until(() -> received(server, RESULTS) == messages + 2);
            first.parts(3);
            first.end();
            first.close();
            second.close();
        }
        await().until(() -> server.gateway().connections() == 0);
        assertThat(server.gateway().counts().failures()).isZero();
    }

    @Test
    void theEarlierOfTwoConnectionsOfAnIdentity_ends() throws IOException {
        var server = server(60);
        var first = opened(RawPeer.connect(server.ports().registration(), "same"));
        first.end();
        await().until(() -> received(server, REGISTRATION) == 1);
        var second = opened(RawPeer.connect(server.ports().registration(), "same"));
        second.end();
        await().until(() -> received(server, REGISTRATION) == 2);
        clock.advance(MOMENT);
        assertThat(first.isAtEnd()).isTrue();

        second.end();
        await().until(() -> received(server, REGISTRATION) == 3);
        await().until(() -> server.gateway().connections() == 1);
    }

    /// Trap: a connection whose messages fill its queue is not read any more, so that its end is not seen when another one takes its identity.
    @Test
    void aConnectionWithMoreMessagesThanWait_losesThoseBeyond_andIsReadOn() throws IOException {
        var server = server(60);
        var peer = opened(RawPeer.connect(server.ports().results(), "same"));
        for (var count = 0; count < 20_000; count++) {
            peer.end();
        }
        peer.close();
        await().until(() -> server.gateway().connections() == 0);
    }

    /// Before version 3 of ZMTP a connection has its identity in its first message.
    @Test
    void aPeerOfAnOldVersion_isNotHeard() throws IOException {
        var server = server(60);
        var old = stranger("127.0.0.1", server.ports().registration());
        old.getOutputStream().write(new byte[] {5, 0, 's', 'a', 'm', 'e', 1, 0, 1, 0});
        await().until(() -> server.gateway().connections() == 1);
        clock.advance(PeerConnections.SILENT);
        await().until(() -> server.gateway().connections() == 0);
        assertThat(received(server, REGISTRATION)).isZero();
    }
}
