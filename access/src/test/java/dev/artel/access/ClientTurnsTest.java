package dev.artel.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ClientTurnsTest {
    private final ClientTurns turns = new ClientTurns(2, 10, Duration.ofMillis(1));

    @Test
    void whoHasItsTurns_waits_andNobodyElseDoes() throws Exception {
        assertThat(turns.begin("a")).isTrue();
        assertThat(turns.begin("a")).isTrue();
        assertThat(turns.begin("a")).isFalse();
        assertThat(turns.begin("b")).isTrue();

        turns.end("a");

        assertThat(turns.begin("a")).isTrue();
    }

    @Test
    void whereAsManyWaitAsMay_theNextOneDoesNot() throws Exception {
        var none = new ClientTurns(1, 0, Duration.ofDays(1));

        assertThat(none.begin("a")).isFalse();
    }

    /// Trap: each link that was ever used is remembered.
    @Test
    void whoDoesNothingMore_isForgotten() throws Exception {
        for (var i = 0; i < 100; i++) {
            assertThat(turns.begin("link " + i)).isTrue();
            turns.end("link " + i);
        }
        assertThat(turns.begin("a")).isTrue();
        assertThat(turns.begin("a")).isTrue();
        assertThat(turns.begin("a")).isFalse();
        turns.end("a");
        turns.end("a");

        assertThat(turns.known()).isZero();
        assertThatThrownBy(() -> turns.end("a")).hasMessageContaining("has no turn");
    }
}
