package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

final class HandlerTurnsTest {
    private final HandlerTurns<String> turns = new HandlerTurns<>();

    /// Trap: thousands of handlers of one client go before the first one of each other client.
    @Test
    void clientsTakeTurns_andWithinAClientTheFirstGoesFirst() {
        for (var i = 0; i < 4; i++) {
            turns.add("flood", "flood" + i);
        }
        turns.add("a", "a0");
        turns.add("b", "b0");
        turns.add("a", "a1");

        var order = new ArrayList<String>();
        while (!turns.isEmpty()) {
            assertThat(turns.first()).isEqualTo(turns.first());
            order.add(turns.take());
        }

        assertThat(order).containsExactly("flood0", "a0", "b0", "flood1", "a1", "flood2", "flood3");
        assertThat(turns.size()).isZero();
    }

    @Test
    void aClientWhoComesBack_joinsBehindThoseWhoWait() {
        turns.add("a", "a0");
        turns.add("flood", "flood0");
        turns.add("flood", "flood1");

        assertThat(turns.take()).isEqualTo("a0");
        turns.add("a", "a1");

        assertThat(turns.take()).isEqualTo("flood0");
        assertThat(turns.take()).isEqualTo("a1");
        assertThat(turns.take()).isEqualTo("flood1");
        assertThatThrownBy(turns::take).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void whatStandsBeforeAHandler_isDescribedInNumbers() {
        turns.add("a", "a0");
        assertThat(turns.describe("a")).isEqualTo("1 handler waits, 1 of its client");

        turns.add("flood", "flood0");
        turns.add("flood", "flood1");
        assertThat(turns.describe("a"))
                .isEqualTo(
                        "3 handlers wait, 1 of its client, which takes turns with 1 other client");

        turns.clear();
        assertThat(turns.isEmpty()).isTrue();
        assertThat(turns.describe("a")).isEqualTo("0 handlers wait, 0 of its client");
    }
}
