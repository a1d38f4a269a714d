package dev.artel.gateway.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.WaitingHeartbeats.Outcome;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.protocol.Heartbeat;
import java.util.Collections;
import org.junit.jupiter.api.Test;

final class WaitingHeartbeatsTest {
    private static final WorkerId W1 = new WorkerId("w1");
    private static final WorkerId W2 = new WorkerId("w2");

    private static Heartbeat listing(int leases) {
        return new Heartbeat.Full(
                "w",
                null,
                leases,
                null,
                Heartbeat.HotState.UNREPORTED,
                Collections.nCopies(leases, "x".repeat(100)));
    }

    /// Trap: of each worker one with ten thousand leases waits for its rate, and they fill the heap.
    @Test
    void largeHeartbeats_haveRoomTogether_andSmallOnesNeedNone() {
        var waiting = new WaitingHeartbeats(10, 100_000);

        assertThat(waiting.put(W1, listing(400))).isEqualTo(Outcome.FIRST);
        assertThat(waiting.put(W2, listing(400))).isEqualTo(Outcome.REFUSED);
        assertThat(waiting.put(W2, listing(10))).isEqualTo(Outcome.FIRST);
        assertThat(waiting.put(W1, listing(400))).as("more at once").isEqualTo(Outcome.REFUSED);
        assertThat(waiting.put(W1, listing(5))).isEqualTo(Outcome.LATER);
        assertThat(waiting.put(W2, listing(400))).isEqualTo(Outcome.LATER);
        assertThat(waiting.remove(W2)).isEqualTo(listing(400));
        assertThat(waiting.remove(W2)).isNull();
        assertThat(waiting.put(W1, listing(450))).isEqualTo(Outcome.LATER);
    }

    @Test
    void ofMoreWorkersThanThereIsRoomFor_noneWaits_andThoseThatWaitGoOn() {
        var waiting = new WaitingHeartbeats(1, 100_000);

        assertThat(waiting.put(W1, listing(1))).isEqualTo(Outcome.FIRST);
        assertThat(waiting.put(W2, listing(1))).isEqualTo(Outcome.REFUSED);
        assertThat(waiting.put(W1, listing(2))).isEqualTo(Outcome.LATER);
        assertThat(waiting.remove(W1)).isEqualTo(listing(2));
    }
}
