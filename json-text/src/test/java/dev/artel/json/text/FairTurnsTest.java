package dev.artel.json.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
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
    void shortThingsOfOnePeer_mayHaveAllPlaces() {
        var few = FairTurns.ofShortThings(2);

        var _ = few.begin("eve");
        var _ = few.begin("eve");

        assertThat(few.free()).isZero();
    }

    @Test
    void oneThatIsInterruptedWhileItWaits_hasNoTurn_andTakesNone() throws InterruptedException {
        var few = FairTurns.ofShortThings(1);
        var first = few.begin("eve");
        var stopped = new AtomicBoolean();
        var waiting =
                Thread.ofVirtual()
                        .start(() -> {
                            try (var _ = few.begin("eve", Duration.ofMinutes(3))) {
                                begun.add("eve");
                            } catch (InterruptedException wanted) {
                                stopped.set(true);
                            } catch (TimeoutException late) {
                                begun.add("late");
                            }
                        });
        while (few.waiting() == 0) {
            Thread.onSpinWait();
        }

        waiting.interrupt();
        waiting.join();

        assertThat(stopped).isTrue();
        assertThat(few.waiting()).isZero();
        first.close();
        assertThat(few.free()).isEqualTo(1);
    }

    @Test
    void oneWhoseTimeIsOver_hasNoTurn_andTakesNone() {
        var few = FairTurns.ofShortThings(1);
        var first = few.begin("eve");

        assertThatThrownBy(() -> few.begin("eve", Duration.ofMillis(1)))
                .isInstanceOf(TimeoutException.class);

        assertThat(few.waiting()).isZero();
        first.close();
        assertThat(few.free()).isEqualTo(1);
    }

    @Test
    void fewerPlacesThanNeeded_areRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new FairTurns(1));
        assertThatIllegalArgumentException().isThrownBy(() -> FairTurns.ofShortThings(0));
    }
}
