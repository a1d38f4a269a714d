package dev.artel.worker.server;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ArrivalRoomTest {
    private static final int FREE = ArrivalRoom.FREE;

    /// Trap: one address holds the room with messages that it does not end.
    @Test
    void oneAddress_hasHalfOfWhatOthersLeave_andSmallMessagesNeedNoRoom() {
        var room = new ArrivalRoom(1_000, 10L << 20, Duration.ZERO);
        var first = room.begin("one");
        var second = room.begin("one");
        var third = room.begin("one");
        var other = room.begin("other");

        assertThat(first.takes(FREE + 100)).isTrue();
        assertThat(first.takes(FREE + 200)).isTrue();
        assertThat(second.takes(FREE + 50)).isTrue();
        // One may go beyond.
        assertThat(second.takes(FREE + 51)).isTrue();
        assertThat(third.takes(FREE + 1)).isFalse();
        assertThat(third.takes(FREE)).isTrue();
        assertThat(other.takes(FREE + 124)).isTrue();
        assertThat(other.takes(FREE + 125)).isFalse();
        first.free();
        assertThat(third.takes(FREE + 51)).isTrue();
        third.close();
        assertThat(third.takes(FREE + 1)).isFalse();
        second.close();
        other.close();
        assertThat(room.taken()).isZero();
    }

    /// Trap: messages of one address have each a part of their room, wait for each other until their time is over, and are all closed: a
    /// dozen workers of one host with large results, again and again.
    @Test
    void messagesThatHaveEachAPart_arriveAllTheSame_oneAfterAnother() throws Exception {
        var room = new ArrivalRoom(1_000, 10L << 20, Duration.ofMinutes(10));
        var shares = IntStream.range(0, 5).mapToObj(_ -> room.begin("one")).toList();
        shares.forEach(share -> assertThat(share.takes(FREE + 50)).isTrue());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    shares.stream()
                            .map(share ->
                                    threads.submit(() -> {
                                        var arrives = share.takes(FREE + 150);
                                        share.free();
                                        return arrives;
                                    }))
                            .toList();
            for (var each : all) {
                assertThat(each.get()).isTrue();
            }
        }
        assertThat(room.taken()).isZero();
    }

    @Test
    void aMessageThatIsLargerThanTheRoom_arrivesAlone() {
        var room = new ArrivalRoom(1_000, 10L << 20, Duration.ZERO);
        var large = room.begin("one");

        assertThat(large.takes(FREE + 10_000)).isTrue();
        assertThat(large.takes(FREE + 20_000)).isTrue();
        assertThat(room.taken()).isEqualTo(500);
        large.free();
        assertThat(room.taken()).isZero();
    }

    @Test
    void aPartThatWaits_goesOnOnceThereIsRoom() throws Exception {
        var room = new ArrivalRoom(1_000, 10L << 20, Duration.ofMinutes(10));
        var first = room.begin("one");
        var ahead = room.begin("one");
        var second = room.begin("one");
        assertThat(first.takes(FREE + 250)).isTrue();
        assertThat(ahead.takes(FREE + 1)).isTrue();
        var began = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits =
                    threads.submit(() -> {
                        began.countDown();
                        return second.takes(FREE + 250);
                    });
            began.await();
            assertThat(waits.isDone()).isFalse();

            ahead.free();
            first.free();

            await().until(waits::isDone);
            assertThat(waits.get()).isTrue();
        }
    }

    /// Trap: thousands of connections have each the greater part of a message that is too small to need room.
    @Test
    void smallMessages_needRoom_onceTheyTakeMoreThanTheyMayTogether() {
        var room = new ArrivalRoom(8L * FREE, 2L * FREE, Duration.ZERO);
        var first = room.begin("one");
        var second = room.begin("one");
        var third = room.begin("one");
        var other = room.begin("other");

        assertThat(first.takes(FREE / 2)).isTrue();
        assertThat(first.takes(FREE)).isTrue();
        assertThat(room.taken()).isEqualTo(2L * FREE);
        assertThat(second.takes(FREE)).isTrue();
        assertThat(third.takes(FREE)).isTrue();
        assertThat(room.taken()).isEqualTo(6L * FREE);
        assertThat(other.takes(FREE)).isTrue();
        assertThat(other.takes(8 << 10)).isTrue();

        for (var each : List.of(first, second, third, other)) {
            each.close();
        }
        assertThat(room.taken()).isZero();
    }
}
