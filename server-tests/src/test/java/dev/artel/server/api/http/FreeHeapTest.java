package dev.artel.server.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.http.HttpRefusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FreeHeapTest {
    private static final long SIZE = 1_000;

    private long inUse;
    private long found;
    private long now;
    private int collections;
    private final FreeHeap heap = new FreeHeap(() -> found, () -> SIZE, this::collect, () -> now);

    private void collect() {
        collections++;
        found = inUse;
    }

    /// The JVM has collected a full heap, and found so much in use.
    private void isFoundInUse(long bytes) {
        inUse = bytes;
        found = bytes;
    }

    private void assertRefused() {
        assertThatThrownBy(heap::check)
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("almost full");
    }

    @Test
    void aHeapWithRoom_isNotCollected() {
        isFoundInUse(870);

        heap.check();

        assertThat(collections).isZero();
    }

    /// Trap: many small requests fill the heap together, each below all bounds, and the process ends.
    @Test
    void aHeapThatIsAlmostFull_takesNothingMore_untilACollectionFindsRoom() {
        isFoundInUse(900);
        assertRefused();

        inUse = 700;
        assertRefused();
        now += Duration.ofSeconds(5).toNanos();

        heap.check();
    }

    /// Trap: each refused request runs a collection, and nothing else gets a turn.
    @Test
    void collections_areFew() {
        isFoundInUse(900);
        for (var request = 0; request < 100; request++) {
            assertRefused();
        }
        assertThat(collections).isEqualTo(1);

        now += Duration.ofSeconds(5).toNanos();
        assertRefused();

        assertThat(collections).isEqualTo(2);
    }
}
