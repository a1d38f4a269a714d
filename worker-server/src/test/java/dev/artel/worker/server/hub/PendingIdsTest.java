package dev.artel.worker.server.hub;

import static dev.artel.worker.server.hub.HubFixture.heartbeat;
import static dev.artel.worker.server.hub.HubFixture.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class PendingIdsTest {
    private static final int STEPS = 3_000;

    @Test
    void whateverIsAddedAndRemoved_eachMomentStaysAsItWas() {
        var random = new SplittableRandom(11);
        var expected = new TreeMap<Long, String>();
        var moments = new ArrayList<List<String>>();
        var copies = new ArrayList<List<String>>();
        var ids = PendingIds.NONE;
        for (var number = 1L; number <= STEPS; number++) {
            ids = ids.with(number, "r-" + number);
            expected.put(number, "r-" + number);
            while (!expected.isEmpty() && random.nextInt(100) < 48) {
                var any = expected.ceilingKey(random.nextLong(expected.lastKey()) + 1);
                ids = ids.without(any);
                expected.remove(any);
            }
            if (number % 50 == 0) {
                moments.add(ids);
                copies.add(List.copyOf(expected.values()));
            }
        }

        assertThat(moments).isEqualTo(copies);
        assertThat(ids).hasSize(expected.size()).containsExactlyElementsOf(expected.values());
        assertThat(ids.without(STEPS + 1L)).isEqualTo(ids);
        var last = ids;
        assertThatThrownBy(() -> last.get(last.size()))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(last::removeLast).isInstanceOf(UnsupportedOperationException.class);
    }

    /// Trap: with each message of a worker the list of all that it has in work is copied, under the lock that all workers share.
    @Test
    void messagesOfAWorker_copyNothingOfWhatItHasInWork() {
        var fixture = new HubFixture();
        var seen = new ArrayList<List<String>>();
        fixture.hub.onAnyMessage(event -> seen.add(event.worker().requests().pendingIds()));
        fixture.hub.onProtocolMessage(event -> seen.add(event.worker().requests().pendingIds()));
        var worker = fixture.worker("w-1", 10_000);
        for (var i = 0; i < 10_000; i++) {
            assertThat(fixture.hub.trackRequest("w-1", "r-" + i)).isTrue();
        }

        worker.sends(message("note", "unknown"));
        worker.sends(heartbeat("w-1"));

        var now = fixture.snapshot("w-1").requests().pendingIds();
        assertThat(now).hasSize(10_000).startsWith("r-0", "r-1").endsWith("r-9999");
        assertThat(seen).hasSize(2).allSatisfy(ids -> assertThat(ids).isSameAs(now));
    }

    @Test
    void aSession_settlesWhatItHasItself() {
        var fixture = new HubFixture();
        fixture.worker("w-1", 2);
        fixture.worker("w-2", 2);
        assertThat(fixture.hub.trackRequest("w-1", "r-1")).isTrue();
        assertThat(fixture.hub.trackRequest("w-1", "r-2")).isTrue();
        var own = fixture.snapshot("w-1").sessionId();
        var other = fixture.snapshot("w-2").sessionId();

        assertThat(fixture.hub.releaseRequest(other, "r-1")).isFalse();
        assertThat(fixture.hub.completeRequest(other, "r-2")).isFalse();
        assertThat(fixture.hub.releaseRequest(own, "r-1")).isTrue();
        assertThat(fixture.hub.completeRequest(own, "r-2")).isTrue();
        assertThat(fixture.hub.completeRequest(own, "r-2")).isFalse();

        assertThat(fixture.snapshot("w-1").requests().pendingIds()).isEmpty();
        assertThat(fixture.snapshot("w-1").requests().completed()).isEqualTo(1);
    }
}
