package dev.artel.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class LinesAMinuteTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 5);
    private final LinesAMinute lines = new LinesAMinute(3, now::get);

    /// Trap: somebody sends what is logged as fast as it can, and the log fills the disk.
    @Test
    void linesBeyondTheBound_areCounted_andTheNextOneHasHowMany() {
        for (var i = 0; i < 3; i++) {
            assertThat(lines.next()).hasValue(0);
        }
        assertThat(lines.take()).isEqualTo(new LinesAMinute.Turn.LeftOut(true));
        for (var i = 0; i < 999; i++) {
            assertThat(lines.take()).isEqualTo(new LinesAMinute.Turn.LeftOut(false));
        }

        now.addAndGet(MINUTE - 1);
        assertThat(lines.next()).isEmpty();
        now.addAndGet(1);

        assertThat(lines.next()).hasValue(1_001);
        assertThat(lines.next()).hasValue(0);
    }

    @Test
    void aBoundThatLeavesNothing_isRefused() {
        assertThatThrownBy(() -> new LinesAMinute(0)).hasMessageContaining("was 0");
    }
}
