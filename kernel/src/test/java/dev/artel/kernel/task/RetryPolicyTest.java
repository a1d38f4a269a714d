package dev.artel.kernel.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class RetryPolicyTest {
    private static final RetryPolicy EVEN =
            new RetryPolicy(5, Duration.ofSeconds(1), 3, Duration.ofSeconds(10), 0);

    @Test
    void eachPauseIsLonger_upToTheLongest() {
        assertThat(EVEN.delayAfter(1, 0.9)).isEqualTo(Duration.ofSeconds(1));
        assertThat(EVEN.delayAfter(2, 0.9)).isEqualTo(Duration.ofSeconds(3));
        assertThat(EVEN.delayAfter(3, 0.9)).isEqualTo(Duration.ofSeconds(9));
        assertThat(EVEN.delayAfter(4, 0.9)).isEqualTo(Duration.ofSeconds(10));
        assertThat(EVEN.delayAfter(Integer.MAX_VALUE, 0.9)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void jitter_movesAPauseByItsPart() {
        var jittered = new RetryPolicy(5, Duration.ofSeconds(10), 1, Duration.ofSeconds(10), 0.2);

        assertThat(jittered.delayAfter(1, 0)).isEqualTo(Duration.ofSeconds(8));
        assertThat(jittered.delayAfter(1, 0.5)).isEqualTo(Duration.ofSeconds(10));
        assertThat(jittered.delayAfter(1, 0.999_999))
                .isBetween(Duration.ofMillis(11_999), Duration.ofSeconds(12));
    }

    @Test
    void aPauseIsNeverNegative() {
        var wild = new RetryPolicy(5, Duration.ofSeconds(1), 2, Duration.ofSeconds(4), 1);

        for (var random = 0.0; random < 1; random += 0.01) {
            assertThat(wild.delayAfter(3, random)).isBetween(Duration.ZERO, Duration.ofSeconds(8));
        }
    }

    @Test
    void aPolicyThatContradictsItself_isRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EVEN.withMaxAttempts(0))
                .withMessage("retry.max-attempts must be at least 1, was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EVEN.withDelays(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessage("retry.max-delay (PT1S) is below retry.first-delay (PT2S)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EVEN.withDelays(Duration.ofSeconds(-1), Duration.ofSeconds(1)))
                .withMessage("retry.first-delay must not be negative, was PT-1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryPolicy(1, Duration.ZERO, Double.NaN, Duration.ZERO, 0))
                .withMessage("retry.factor must be from 1 to 100, was NaN");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RetryPolicy(1, Duration.ZERO, 1, Duration.ZERO, 1.5))
                .withMessage("retry.jitter must be from 0 to 1, was 1.5");
    }
}
