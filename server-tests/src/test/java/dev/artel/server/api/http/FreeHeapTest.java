package dev.artel.server.api.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.http.HttpRefusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class FreeHeapTest {
    private static final long SIZE = 1_000;
    private static final long LARGE = 100_000;
    private static final long SMALL = 10_000;

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
        assertRefused("a", LARGE);
    }

    private void assertRefused(String who, long bytes) {
        assertThatThrownBy(() -> heap.check(who, bytes))
                .isInstanceOf(HttpRefusal.class)
                .hasMessageContaining("almost full");
    }

    @Test
    void aHeapWithRoom_isNotCollected() {
        isFoundInUse(870);

        heap.check("a", LARGE);

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

        heap.check("a", LARGE);
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

    /// Trap: one client filled the heap, and the small requests of all others were refused.
    @Test
    void smallRequestsOfAClient_goOnSlowly_whateverOthersDo() {
        isFoundInUse(900);
        for (var request = 0; request < 100; request++) {
            assertRefused("one", LARGE);
        }

        heap.check("one", SMALL);
        assertRefused("one", SMALL);
        heap.check("other", SMALL);
        assertRefused("other", SMALL);
        now += Duration.ofMillis(500).toNanos();
        heap.check("one", SMALL);
        heap.check("other", SMALL);
    }

    @Test
    void whereNextToNothingIsLeft_noRequestGoesOn() {
        isFoundInUse(945);

        assertRefused("one", SMALL);
    }

    @Test
    void howManyClientsAreKnown_isBounded() {
        isFoundInUse(900);
        for (var client = 0; client <= 1_000; client++) {
            heap.check("client-" + client, SMALL);
        }

        assertRefused("client-1", SMALL);
        heap.check("client-0", SMALL);
    }
}
