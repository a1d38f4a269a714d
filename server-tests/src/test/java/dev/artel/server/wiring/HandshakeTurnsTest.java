package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class HandshakeTurnsTest {
    private final Queue<Runnable> underWay = new ArrayDeque<>();
    private final HandshakeTurns turns = new HandshakeTurns(2, underWay::add);
    private final List<String> done = new ArrayList<>();

    private HandshakeTurns.Step begin(String address, String name) {
        var step = turns.step(address, () -> done.add(name));
        step.begin();
        return step;
    }

    private void finish(int count) {
        for (var left = count; left > 0; left--) {
            underWay.remove().run();
        }
    }

    /// Trap: a stranger begins thousands of handshakes at once, and each keeps a processor for milliseconds.
    @Test
    void anAddressThatBeginsMany_waitsForItself_andOthersComeNext() {
        for (var count = 1; count <= 5; count++) {
            begin("2001:db8::" + count, "stranger " + count);
        }
        begin("192.0.2.1", "worker");
        begin("192.0.2.2", "client");

        assertThat(underWay).hasSize(2);
        finish(5);

        assertThat(done)
                .containsExactly("stranger 1", "stranger 2", "stranger 3", "worker", "client");
        assertThat(underWay).hasSize(2);
        finish(2);
        assertThat(underWay).isEmpty();
        assertThat(turns.waitingAddresses()).isZero();
    }

    @Test
    void oneThatNeedsNoTurnAnyMore_keepsNobodyWaiting() {
        begin("192.0.2.1", "first");
        begin("192.0.2.1", "second");
        var gone = begin("192.0.2.1", "gone");
        begin("192.0.2.1", "last");

        gone.end();
        gone.end();

        assertThat(underWay).as("what waited ends without a place").hasSize(3);
        finish(4);
        assertThat(done).containsExactly("first", "second", "gone", "last");
        assertThat(underWay).isEmpty();
    }

    /// Trap: the first request comes with the end of the handshake, and takes as long as it likes.
    @Test
    void aHandshakeThatIsDone_leavesItsPlace_thoughItsThreadGoesOn() {
        var first = begin("192.0.2.1", "first");
        var second = begin("192.0.2.1", "second");
        begin("192.0.2.1", "third");

        first.end();

        assertThat(underWay).hasSize(3);
        finish(1);
        assertThat(underWay).as("a place is given back once").hasSize(2);
        second.end();
        finish(2);
        begin("192.0.2.1", "fourth");
        begin("192.0.2.1", "fifth");
        begin("192.0.2.1", "sixth");
        assertThat(underWay).hasSize(2);
    }

    @Test
    void oneThatNeedsNoTurnBeforeItBegins_goesOnAtOnce() {
        begin("192.0.2.1", "first");
        begin("192.0.2.1", "second");
        var step = turns.step("192.0.2.1", () -> done.add("over"));

        step.end();
        step.begin();

        assertThat(underWay).hasSize(3);
        finish(3);
        assertThat(done).containsExactly("first", "second", "over");
    }

    @Test
    void onesThatGetNoThread_leaveTheirPlaces() {
        var full =
                new HandshakeTurns(
                        1,
                        step -> {
                            if (done.isEmpty()) {
                                done.add("refused");
                                throw new RejectedExecutionException("no thread");
                            }
                            underWay.add(step);
                        });

        assertThatThrownBy(() -> full.step("192.0.2.1", () -> done.add("lost")).begin())
                .isInstanceOf(RejectedExecutionException.class);
        full.step("192.0.2.1", () -> done.add("next")).begin();

        finish(1);
        assertThat(done).containsExactly("refused", "next");
    }
}
