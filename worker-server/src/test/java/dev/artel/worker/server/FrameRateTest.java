package dev.artel.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class FrameRateTest {
    private static final long SECOND = 1_000_000_000;

    private final FrameRate rate = new FrameRate(0);

    @Test
    void framesThatCarryNothing_areFewerThanOthers_andBeginAnewWithEachSecond() {
        for (var i = 0; i < FrameRate.MOST_EMPTY; i++) {
            assertThat(rate.take(true, SECOND - 1)).isTrue();
        }
        assertThat(rate.take(true, SECOND - 1)).isFalse();

        assertThat(rate.take(true, SECOND)).isTrue();
    }

    @Test
    void framesOfAnyKind_areBounded() {
        for (var i = 0; i < FrameRate.MOST; i++) {
            assertThat(rate.take(false, 1)).isTrue();
        }

        assertThat(rate.take(false, 1)).isFalse();
        assertThat(rate.take(false, 2 * SECOND)).isTrue();
    }
}
