package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SharesTest {
    private final Shares shares = new Shares(8);

    /// Trap: one client opens all streams, and nobody else gets one.
    @Test
    void whoTakesAllItCan_leavesRoomForOthers() {
        assertThat(taken("greedy")).isEqualTo(4);
        assertThat(taken("other")).isEqualTo(2);
        assertThat(taken("third")).isEqualTo(1);
        assertThat(taken("greedy")).isZero();
    }

    @Test
    void whatIsGivenBack_isThereAgain() {
        for (var i = 0; i < 100; i++) {
            assertThat(taken("one")).isEqualTo(4);
            for (var n = 0; n < 4; n++) {
                shares.release("one");
            }
        }
    }

    @Test
    void whoHasItsShare_isDistinguishedFromNoRoomAtAll() {
        taken("one");
        assertThat(shares.take("one")).isEqualTo(Shares.Taken.SHARE_USED);

        for (var other : List.of("two", "three", "four")) {
            taken(other);
        }

        assertThat(shares.take("one")).isEqualTo(Shares.Taken.NO_ROOM);
        assertThat(shares.take("five")).isEqualTo(Shares.Taken.NO_ROOM);
        shares.release("two");
        assertThat(shares.take("one")).isEqualTo(Shares.Taken.SHARE_USED);
        assertThat(shares.take("five")).isEqualTo(Shares.Taken.ROOM);
    }

    private int taken(String who) {
        var count = 0;
        while (shares.take(who) == Shares.Taken.ROOM) {
            count++;
        }
        return count;
    }
}
