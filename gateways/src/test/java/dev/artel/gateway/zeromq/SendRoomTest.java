package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import zmq.Msg;

/// How much waits for peers that do not read.
final class SendRoomTest {
    private static final int LARGE = 1 << 20;
    private static final int BUDGET = 8 << 20;

    private final SendRoom room = new SendRoom(LARGE, BUDGET);

    private @Nullable Msg take(String peer, int bytes) {
        return room.take(
                new OutgoingFrames(
                        WirePort.RESULTS,
                        PeerName.ofWorker(peer),
                        List.of(new byte[0], new byte[bytes]),
                        null));
    }

    private int takeAll(String peer) {
        var count = 0;
        while (take(peer, LARGE / 2) != null) {
            count++;
        }
        return count;
    }

    @Test
    void aPeerThatDoesNotRead_hasItsPart_andOthersHaveTheirs() {
        assertThat(takeAll("evil")).isEqualTo(3);
        assertThat(take("evil", 10)).isNotNull();
        assertThat(take("evil", LARGE / 2)).isNull();
        assertThat(take("good", LARGE)).isNotNull();
    }

    @Test
    void beyondWhatWaitsForAll_peersForWhichNothingWaits_getSmallMessages() {
        for (var peer = 0; takeAll("evil-" + peer) > 0; ) {
            peer++;
        }

        assertThat(room.bytes()).isBetween(BUDGET - (long) LARGE, (long) BUDGET);
        assertThat(take("good", LARGE)).isNull();
        assertThat(take("good", 1_000)).isNotNull();
        assertThat(take("good", 1_000_000)).isNull();

        for (var peer = 0; take("stranger-" + peer, 1_000) != null; ) {
            peer++;
        }
        assertThat(room.bytes()).isBetween(2L * BUDGET - 10_000, 2L * BUDGET);
    }

    @Test
    void aMessageThatIsLargerThanAll_goesAlone() {
        assertThat(take("w1", 2 * BUDGET)).isNotNull();
        assertThat(take("w2", LARGE)).isNull();
    }

    @Test
    void aMessageThatIsWrittenEncryptedOrLeft_makesRoomOnce() {
        for (var count = 0; count < 100; count++) {
            var written = Objects.requireNonNull(take("w1", LARGE));
            var encrypted = Objects.requireNonNull(take("w2", LARGE));
            var left = Objects.requireNonNull(take("w3", LARGE));

            assertThat(written.buf().remaining()).isEqualTo(LARGE);
            var copy = ByteBuffer.allocate(LARGE);
            encrypted.transfer(copy, 0, LARGE);
            room.leave(left);
            room.leave(written);
        }

        assertThat(room.bytes()).isZero();
    }

    @Test
    @SuppressWarnings("DoNotCall") // the collector alone finds out
    void messagesThatTheLibraryDrops_makeRoom() {
        assertThat(takeAll("w1")).isEqualTo(3);

        await().until(() -> {
            System.gc();
            return room.bytes() == 0;
        });
        assertThat(takeAll("w1")).isEqualTo(3);
    }
}
