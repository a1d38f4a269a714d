package dev.artel.gateway.mindbus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

final class DeadLetterLogTest {
    private Instant now = Instant.parse("2026-11-29T10:00:00Z");
    private final DeadLetterLog log = new DeadLetterLog("mindbus.main.dlq", () -> now);

    /// Trap: an account of the broker publishes what cannot be read as fast as it can, and the log fills the disk.
    @Test
    void veryManyDeadLetters_haveSomeLinesAMinute_andTheNextOneHasHowManyHadNone() {
        for (var i = 0; i < DeadLetterLog.MOST; i++) {
            assertThat(log.next()).hasValue(0);
        }
        for (var i = 0; i < 1_000; i++) {
            assertThat(log.next()).isEmpty();
        }

        now = now.plusSeconds(60);

        assertThat(log.next()).hasValue(1_000);
        assertThat(log.next()).hasValue(0);
    }

    @Test
    void aClockThatIsSetBack_silencesNobody() {
        for (var i = 0; i <= DeadLetterLog.MOST; i++) {
            var _ = log.next();
        }

        now = now.minusSeconds(3_600);

        assertThat(log.next()).hasValue(1);
    }
}
