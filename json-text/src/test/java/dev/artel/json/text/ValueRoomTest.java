package dev.artel.json.text;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class ValueRoomTest {
    private static final long KIB = 1024;

    /// Trap: each of many messages is small enough, and all of them at once are more than there is memory for.
    @Test
    void aValueBeyondTheRoom_waitsUntilAnotherIsDone() throws Exception {
        var room = new ValueRoom(100 * KIB);
        var first = room.take(60 * KIB);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second = threads.submit(() -> room.take(60 * KIB));
            awaitWaiting(room);
            assertThat(second.isDone()).isFalse();

            first.close();

            second.get().close();
        }
        room.take(100 * KIB).close();
    }

    @Test
    void aValueThatIsLargerThanAll_hasTheRoomForItself_andSmallOnesNeedNone() throws Exception {
        var room = new ValueRoom(100 * KIB);
        var all = room.take(5_000 * KIB);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> other = threads.submit(() -> room.take(1).close());
            awaitWaiting(room);
            assertThat(other.isDone()).isFalse();
            room.take(0).close();
            all.close();
            other.get();
        }
    }

    @Test
    void aPlaceThatIsClosedTwice_isFreedOnce() throws Exception {
        var room = new ValueRoom(100 * KIB);
        var first = room.take(100 * KIB);
        first.close();
        first.close();
        var all = room.take(100 * KIB);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var next = threads.submit(() -> room.take(100 * KIB));
            awaitWaiting(room);
            assertThat(next.isDone()).isFalse();
            all.close();
            next.get().close();
        }
    }

    private static void awaitWaiting(ValueRoom room) {
        await("a thread waits for room").until(room::hasWaiting);
    }
}
