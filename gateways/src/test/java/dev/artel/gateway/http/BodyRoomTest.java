package dev.artel.gateway.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class BodyRoomTest {
    private static final Duration SHORT = Duration.ofMillis(1);
    private static final Duration LONG = Duration.ofMinutes(10);

    /// Trap: two that hold their room, because they read or send a byte a second, leave none for all others.
    @Test
    void oneAddress_hasHalfOfWhatOthersLeave() {
        var room = new BodyRoom(100, SHORT);
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
        var room = new BodyRoom(100, LONG);
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
        var room = new BodyRoom(100, SHORT);

        var large = room.take("one", 1_000);

        assertThat(room.taken()).isEqualTo(50);
        large.run();
        assertThat(room.taken()).isZero();
    }
}
