package dev.artel.kernel.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.fleet.CircuitBreaker.State;
import dev.artel.kernel.fleet.Reputation.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {
    private static final Instant NOW = Instant.EPOCH.plusSeconds(1000);
    private static final BreakerPolicy POLICY =
            new BreakerPolicy(3, Duration.ofSeconds(60), Duration.ofSeconds(200));

    private CircuitBreaker breaker = CircuitBreaker.CLOSED;

    @Test
    void threeFailuresInARow_openIt_andASuccessBetweenThemCountsFromTheStart() {
        after(NOW, Outcome.FAILED, Outcome.LOST, Outcome.SUCCEEDED, Outcome.FAILED, Outcome.LOST);
        assertThat(breaker.state()).isEqualTo(State.CLOSED);

        after(NOW, Outcome.FAILED);

        assertThat(breaker).isEqualTo(new CircuitBreaker(State.OPEN, 3, 1, NOW.plusSeconds(60)));
    }

    @Test
    void afterThePause_itIsHalfOpen_andASuccessClosesIt() {
        after(NOW, Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);

        assertThat(breaker.at(NOW.plusSeconds(59)).state()).isEqualTo(State.OPEN);
        assertThat(breaker.at(NOW.plusSeconds(60)).state()).isEqualTo(State.HALF_OPEN);
        after(NOW.plusSeconds(61), Outcome.SUCCEEDED);
        assertThat(breaker).isEqualTo(CircuitBreaker.CLOSED);
    }

    @Test
    void eachFurtherPause_isTwiceAsLong_upToTheLongest() {
        after(NOW, Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);

        after(NOW.plusSeconds(60), Outcome.LOST);
        assertThat(breaker.until()).isEqualTo(NOW.plusSeconds(60 + 120));
        after(NOW.plusSeconds(180), Outcome.LOST);
        assertThat(breaker.until()).isEqualTo(NOW.plusSeconds(180 + 200));
        after(NOW.plusSeconds(380), Outcome.LOST);
        assertThat(breaker.until()).isEqualTo(NOW.plusSeconds(380 + 200));
    }

    @Test
    void whatBeganBeforeIt_neitherProlongsNorEndsThePause() {
        after(NOW, Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);

        after(NOW.plusSeconds(30), Outcome.FAILED, Outcome.SUCCEEDED);

        assertThat(breaker).isEqualTo(new CircuitBreaker(State.OPEN, 4, 1, NOW.plusSeconds(60)));
    }

    @Test
    void aPolicyThatNeverOpens_orNeverEnds_isRefused() {
        assertThatThrownBy(() -> new BreakerPolicy(0, Duration.ofSeconds(1), Duration.ofSeconds(1)))
                .hasMessage("a breaker opens after at least 1 failure, was 0");
        assertThatThrownBy(() -> new BreakerPolicy(1, Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessage(
                        "a suspension must be positive and at most the longest one, was PT2S of PT1S");
    }

    private void after(Instant now, Outcome... outcomes) {
        for (var outcome : outcomes) {
            breaker = breaker.after(outcome, POLICY, now);
        }
    }
}
