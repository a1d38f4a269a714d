package dev.artel.worker.server;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class ArrivalRoomTest {
    private static final int FREE = ArrivalRoom.FREE;

    /// Trap: one address holds the room with messages that it does not end.
    @Test
    void oneAddress_hasHalfOfWhatOthersLeave_andSmallMessagesNeedNoRoom() {
        var room = new ArrivalRoom(1_000, Duration.ZERO);
        var first = room.begin("one");
        var second = room.begin("one");
        var other = room.begin("other");

        assertThat(first.takes(FREE + 100)).isTrue();
        assertThat(first.takes(FREE + 200)).isTrue();
        assertThat(second.takes(FREE + 50)).isTrue();
        assertThat(second.takes(FREE + 51)).isFalse();
        assertThat(second.takes(FREE)).isTrue();
        assertThat(other.takes(FREE + 125)).isTrue();
        assertThat(other.takes(FREE + 126)).isFalse();
        first.free();
        assertThat(second.takes(FREE + 51)).isTrue();
        second.close();
        assertThat(second.takes(FREE + 1)).isFalse();
        other.close();
        assertThat(room.taken()).isZero();
    }

    @Test
    void aMessageThatIsLargerThanTheRoom_arrivesAlone() {
        var room = new ArrivalRoom(1_000, Duration.ZERO);
        var large = room.begin("one");

        assertThat(large.takes(FREE + 10_000)).isTrue();
        assertThat(large.takes(FREE + 20_000)).isTrue();
        assertThat(room.taken()).isEqualTo(500);
        large.free();
        assertThat(room.taken()).isZero();
    }

    @Test
    void aPartThatWaits_goesOnOnceThereIsRoom() throws Exception {
        var room = new ArrivalRoom(1_000, Duration.ofMinutes(10));
        var first = room.begin("one");
        var second = room.begin("one");
        assertThat(first.takes(FREE + 250)).isTrue();
        var began = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waits =
                    threads.submit(() -> {
                        began.countDown();
                        return second.takes(FREE + 250);
                    });
            began.await();
            assertThat(waits.isDone()).isFalse();

            first.free();

            await().until(waits::isDone);
            assertThat(waits.get()).isTrue();
        }
    }
}
