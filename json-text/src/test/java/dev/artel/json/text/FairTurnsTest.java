package dev.artel.json.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
final class FairTurnsTest {
    private final FairTurns turns = new FairTurns(4);
    private final Queue<String> begun = new ConcurrentLinkedQueue<>();

    /// A thread that waits for a turn, notes it and ends it.
    private Thread waiting(String peer, int others) {
        var thread =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var _ = turns.begin(peer)) {
                                begun.add(peer);
                            }
                        });
        while (turns.waiting() <= others) {
            Thread.onSpinWait();
        }
        return thread;
    }

    /// Trap: one peer that wants thousands of turns has all places, and the next one waits for each of them.
    @Test
    void aPeerWithAsManyTurnsAsItMayHave_leavesOthersTheirs() {
        var _ = turns.begin("eve");
        var _ = turns.begin("eve");
        waiting("eve", 0);

        try (var bobs = turns.begin("bob")) {
            assertThat(bobs).isNotNull();
            assertThat(begun).isEmpty();
        }
    }

    @Test
    void thoseThatWait_takeTurnsByPeer() throws InterruptedException {
        var eve = turns.begin("eve");
        var _ = turns.begin("eve");
        var ben = turns.begin("ben");
        var second = waiting("eve", 0);
        var third = waiting("eve", 1);
        var bob = waiting("bob", 2);

        eve.close();
        bob.join();
        assertThat(begun).containsExactly("bob");
        ben.close();
        second.join();
        third.join();

        assertThat(begun).containsExactly("bob", "eve", "eve");
        assertThat(turns.waiting()).isZero();
    }

    @Test
    void fewerThanTwoPlaces_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FairTurns(1));
    }
}
