package dev.artel.gateway.zeromq;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// How much waits for peers that do not read.
final class SendRoomTest {
    private static final int LARGE = 1 << 20;
    private static final int BUDGET = 8 << 20;

    private final SendRoom room = new SendRoom(LARGE, BUDGET);

    private SendRoom.@Nullable LastFrame take(String peer, int bytes) {
        return take(room, WirePort.RESULTS, peer, bytes);
    }

    private static SendRoom.@Nullable LastFrame take(
            SendRoom room, WirePort port, String peer, int bytes) {
        return room.take(
                new OutgoingFrames(
                        port,
                        PeerName.ofWorker(peer),
                        List.of(new byte[0], new byte[bytes]),
                        null,
                        false));
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
    void aSmallMessageThatIsWrittenEncryptedOrLeft_makesRoomOnce() {
        for (var count = 0; count < 100; count++) {
            var written = Objects.requireNonNull(take("w1", 1_000));
            var encrypted = Objects.requireNonNull(take("w2", 1_000));
            var left = Objects.requireNonNull(take("w3", 1_000));

            assertThat(written.handOver()).isNull();
            assertThat(written.buf().remaining()).isEqualTo(1_000);
            encrypted.transfer(ByteBuffer.allocate(1_000), 0, 1_000);
            left.leave();
            written.leave();
        }

        assertThat(room.bytes()).isZero();
    }

    /// Trap: one megabyte for each of many peers weighed nothing once its first byte was written.
    @Test
    void aLargeMessageThatIsBegun_waitsUntilTheLibraryAsksForWhatIsBehindIt() {
        var begun = Objects.requireNonNull(take("w1", LARGE));
        var behind = Objects.requireNonNull(begun.handOver());
        begun.transfer(ByteBuffer.allocate(LARGE), 0, LARGE);
        assertThat(room.bytes()).isGreaterThan(LARGE);

        assertThat(behind.data()).isEmpty();

        assertThat(room.bytes()).isZero();
    }

    @Test
    void aLargeMessageBehindWhichNothingCanBeSent_waitsUntilItIsBegun() {
        var before = Objects.requireNonNull(take("w1", LARGE));
        assertThat(before.buf().remaining()).isEqualTo(LARGE);
        before.isAlone();
        assertThat(room.bytes()).isZero();

        var after = Objects.requireNonNull(take("w1", LARGE));
        after.isAlone();
        assertThat(room.bytes()).isGreaterThan(LARGE);
        assertThat(after.buf().remaining()).isEqualTo(LARGE);
        assertThat(room.bytes()).isZero();
    }

    @Test
    void whatTheLibraryHasForAConnectionThatEnds_waitsNoMore_andTheRestDoes() {
        var handed = Objects.requireNonNull(take("w1", LARGE / 8));
        assertThat(handed.handOver()).isNotNull();
        var queued = Objects.requireNonNull(take("w1", LARGE / 8));
        var elsewhere = Objects.requireNonNull(take(room, WirePort.TASKS, "w1", LARGE / 8));
        assertThat(elsewhere.handOver()).isNotNull();
        var other = Objects.requireNonNull(take("w2", LARGE / 8));
        assertThat(other.handOver()).isNotNull();
        var all = room.bytes();

        room.ended(WirePort.RESULTS, PeerName.ofWorker("w1"));
        room.ended(WirePort.RESULTS, PeerName.ofWorker("w1"));
        room.ended(WirePort.RESULTS, PeerName.ofWorker("nobody"));

        assertThat(room.bytes()).isEqualTo(all / 4 * 3);
        List.of(handed, queued, elsewhere, other).forEach(SendRoom.LastFrame::leave);
        assertThat(room.bytes()).isZero();
    }

    /// Trap: refusals for thirty connections of strangers took the room of all workers.
    @Test
    void strangers_haveASmallRoomOfTheirOwn() {
        var strangers = room.forStrangers();
        for (var peer = 0; take(strangers, WirePort.TASKS, "stranger-" + peer, 10) != null; ) {
            peer++;
        }

        assertThat(strangers.bytes()).isBetween(BUDGET / 16L, BUDGET / 8L);
        assertThat(takeAll("good")).isEqualTo(3);
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
