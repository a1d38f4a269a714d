package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class TlsHandshakesTest {
    private static final int KIB = 1 << 10;

    private final TlsHandshakes handshakes = new TlsHandshakes(128 * KIB);

    /// Trap: a stranger begins handshakes and ends none, and each has fifty kilobytes until the heap is full.
    @Test
    void theHandshakesOfAnAddress_leaveHalfOfTheMemoryToThoseOfOthers() {
        var stranger = handshakes.begin("2001:db8::1");

        assertThat(stranger.hasRoomFor(30 * KIB)).isTrue();
        assertThat(handshakes.begin("2001:db8::2").hasRoomFor(8 * KIB)).isFalse();
        assertThat(stranger.hasRoomFor(20 * KIB)).isFalse();

        assertThat(handshakes.begin("192.0.2.1").hasRoomFor(8 * KIB)).isTrue();
    }

    @Test
    void aHandshakeThatIsOver_hasNothing_whateverComes() {
        var handshake = handshakes.begin("192.0.2.1");
        assertThat(handshake.hasRoomFor(40 * KIB)).isTrue();
        assertThat(handshakes.taken()).isEqualTo(40 * KIB + TlsHandshakes.BASE);

        handshake.end();
        handshake.end();

        assertThat(handshakes.taken()).isZero();
        assertThat(handshake.hasRoomFor(1_000 * KIB)).isTrue();
        assertThat(handshakes.taken()).isZero();
    }

    @Test
    void aHandshake_isLateUntilItIsOver() {
        var handshake = handshakes.begin("192.0.2.1");
        var limit = Duration.ofMinutes(10).toNanos();
        var now = System.nanoTime();

        assertThat(handshake.isLate(now, limit)).isFalse();
        assertThat(handshake.isLate(now + 2 * limit, limit)).isTrue();

        handshake.end();

        assertThat(handshake.isLate(now + 2 * limit, limit)).isFalse();
    }
}
