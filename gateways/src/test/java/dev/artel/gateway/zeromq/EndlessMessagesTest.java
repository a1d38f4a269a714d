package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.IOException;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import zmq.Msg;

/// Messages that go on and on.
@Timeout(Await.HUNG)
final class EndlessMessagesTest {
    private static final int LIMIT = 2 << 20;

    private static long received(ZeroMqServer server) {
        return server.gateway().counts().received().getOrDefault(RESULTS.word(), 0L);
    }

    /// Trap: a stranger sent 18 MB of frames of one byte, which took the whole heap, since the library keeps all of a message until its end.
    @Test
    void aMessageOfEndlessParts_isOverWhereItHasTooMany_andTheRestIsDropped() throws IOException {
        try (var server = ZeroMqServer.patient();
                var stranger = RawPeer.connect(server.ports().results())) {
            stranger.parts(PeerFrame.MOST - 1);
            stranger.parts(1);
            await().until(() -> received(server) == 1);

            stranger.parts(1_000_000);
            stranger.command("\4PING\0\0".getBytes(US_ASCII));
            stranger.parts(10);
            stranger.end();
            stranger.end();
            await().untilAsserted(() ->
                    assertThat(server.gateway().counts().bad()).containsEntry(RESULTS.word(), 2L));

            assertThat(received(server)).isEqualTo(2);
            assertThat(server.gateway().counts().failures()).isZero();
        }
    }

    @Test
    void aPingThatIsTooShort_isDropped() throws IOException {
        try (var server = ZeroMqServer.patient();
                var stranger = RawPeer.connect(server.ports().results())) {
            stranger.command("\4PING".getBytes(US_ASCII));
            stranger.end();
            await().until(() -> received(server) == 1);

            assertThat(server.gateway().counts().failures()).isZero();
        }
    }

    private static PeerFrames encrypted(DeliveredFrames delivered) {
        var peer = PeerFrames.encrypted(new FrameRoom(LIMIT), delivered, InstantSource.system());
        var _ = peer.allocate(200);
        var _ = peer.allocate(300);
        return peer;
    }

    /// @return how many were taken
    private static int allocate(PeerFrames peer, int count, int length, Runnable received) {
        for (var number = 0; number < count; number++) {
            Msg frame = peer.allocate(length);
            if (frame.size() == 0) {
                return number;
            }
            received.run();
        }
        return count;
    }

    /// Under encryption, where the library alone sees the end of a message, a frame that is none ends the connection.
    @Test
    void underEncryption_whatIsNeverReceived_hasABound() {
        var delivered = new DeliveredFrames();
        assertThat(allocate(encrypted(delivered), 100_000, 34, delivered::isAtEnd))
                .isBetween(UnfinishedFrames.MOST, UnfinishedFrames.MOST + 10);
        assertThat(allocate(encrypted(delivered), 100_000, 16_000, delivered::isAtEnd))
                .isLessThan(UnfinishedFrames.MOST + 10);
        assertThat(allocate(encrypted(delivered), 100_000, 1 << 20, delivered::isAtEnd))
                .isLessThan(70);
    }

    @Test
    void underEncryption_whatIsReceived_andWhatWaitsToBe_goesOn() {
        var delivered = new DeliveredFrames();
        assertThat(
                        allocate(
                                encrypted(delivered),
                                100_000,
                                34,
                                () -> {
                                    delivered.add(1, 1);
                                    delivered.isAtEnd();
                                }))
                .isEqualTo(100_000);
        assertThat(allocate(encrypted(delivered), 10_000, 34, () -> {})).isEqualTo(10_000);
    }
}
