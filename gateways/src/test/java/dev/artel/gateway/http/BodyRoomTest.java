package dev.artel.gateway.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class BodyRoomTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    /// Trap: two that hold their room, because they read or send a byte a second, leave none for all others.
    @Test
    void oneAddress_hasHalfOfWhatOthersLeave() {
        var room = new BodyRoom(100, 0, SHORT);
        var first = room.take("one", 50);

        assertThatExceptionOfType(HttpRefusal.class)
                .isThrownBy(() -> room.take("one", 1))
                .withMessageContaining("Too many large bodies");
        assertThatExceptionOfType(HttpRefusal.class).isThrownBy(() -> room.take("other", 26));
        var other = room.take("other", 25);
        var third = room.take("third", 12);

        first.run();
        other.run();
        third.run();
        assertThat(room.taken()).isZero();
    }

    @Test
    void aBodyThatWaits_isReadOnceThereIsRoom() throws Exception {
        var room = new BodyRoom(100, 0, LONG);
        var first = room.take("one", 50);
        var began = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var second =
                    threads.submit(() -> {
                        began.countDown();
                        return room.take("one", 40);
                    });
            began.await();
            assertThat(second.isDone()).isFalse();

            first.run();

            await().until(second::isDone);
            assertThat(room.taken()).isEqualTo(40);
            second.get().run();
        }
        assertThat(room.taken()).isZero();
    }

    @Test
    void aBodyThatIsLargerThanTheRoom_isReadAlone() {
        var room = new BodyRoom(100, 0, SHORT);

        var large = room.take("one", 1_000);

        assertThat(room.taken()).isEqualTo(50);
        large.run();
        assertThat(room.taken()).isZero();
    }

    /// Trap: thousands of bodies that are each too small to be worth a place, or their values, fill the heap.
    @Test
    void smallOnes_needNoRoom_asLongAsTheyTakeLittleTogether() {
        var room = new BodyRoom(100, 30, SHORT);
        var free = room.takeSmall(() -> "one", 30);
        var own = room.takeSmall(() -> "one", 50);

        assertThatExceptionOfType(HttpRefusal.class)
                .isThrownBy(() -> room.takeSmall(() -> "one", 1));
        var other = room.takeSmall(() -> "other", 20);
        assertThat(room.taken()).isEqualTo(100);
        free.run();
        var again = room.takeSmall(() -> "one", 30);

        own.run();
        other.run();
        again.run();
        assertThat(room.taken()).isZero();
    }

    @Test
    void addressesThatWait_haveRoomInTurns_andSmallOnesNotBehindLargeOnes() throws Exception {
        var room = new BodyRoom(100, 0, LONG);
        var first = room.take("one", 50);
        var second = room.take("other", 25);
        var order = new ConcurrentLinkedQueue<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var name : List.of("one", "one", "other")) {
                var waiting = room.waiting();
                threads.execute(() -> {
                    var place = room.take(name, 50);
                    order.add(name);
                    place.run();
                });
                await().until(() -> room.waiting() > waiting);
            }
            var small = room.takeSmall(() -> "third", 5);
            assertThat(order).isEmpty();

            small.run();
            second.run();
            first.run();
        }

        assertThat(order).containsExactly("one", "other", "one");
        assertThat(room.taken()).isZero();
    }

    /// Trap: a body that comes a byte at a time has room for all that it may be, and a few of them leave none to others.
    @Test
    void aBodyWithoutALength_hasRoomForWhatHasCome() throws Exception {
        var body = new byte[100_000];
        Arrays.fill(body, (byte) 'a');
        var taken = new AtomicLong();
        var come = new AtomicLong();
        var in =
                new FilterInputStream(new ByteArrayInputStream(body)) {
                    @Override
                    public int read(byte[] bytes, int from, int length) throws IOException {
                        assertThat(taken.get()).isBetween(4_096L, Math.max(4_096, 2 * come.get()));
                        var read = super.read(bytes, from, Math.min(length, 200));
                        come.addAndGet(Math.max(0, read));
                        return read;
                    }
                };

        assertThat(BodyRoom.read(in, 1 << 20, taken::addAndGet)).isEqualTo(body);
        assertThat(taken).hasValue(131_072);
        taken.set(0);
        assertThat(BodyRoom.read(new ByteArrayInputStream(body), 50_000, taken::addAndGet))
                .hasSize(50_001);
        assertThat(taken).hasValue(50_001);
    }
}
