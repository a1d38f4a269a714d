package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class GivenBackTest {
    private static final WorkerId WORKER = new WorkerId("w");

    private final GivenBack givenBack = new GivenBack();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private void pass(Duration time) {
        now = now.plus(time);
        givenBack.at(now);
    }

    private int times() {
        return givenBack.times(givenBack.of(WORKER));
    }

    @Test
    void eachTimeCounts_upToABound_andIsForgivenInTheEnd() {
        pass(Duration.ZERO);
        for (var i = 0; i < 100; i++) {
            givenBack.count(WORKER);
            pass(Duration.ofSeconds(1));
        }

        assertThat(times()).isEqualTo(GivenBack.MOST - 1);
        assertThat(givenBack.isAnyBehind()).isTrue();
        pass(GivenBack.FORGIVEN_AFTER);
        assertThat(times()).isEqualTo(GivenBack.MOST - 2);
        pass(GivenBack.FORGIVEN_AFTER.multipliedBy(GivenBack.MOST - 2));
        assertThat(times()).isZero();
        assertThat(givenBack.isAnyBehind()).isFalse();
    }

    /// Trap: a worker that is named once is remembered for good.
    @Test
    void ofWorkersThatWereForgiven_nothingIsKept_norOfTooManyOthers() {
        pass(Duration.ZERO);
        givenBack.count(WORKER);
        for (var i = 0; i < 10_000; i++) {
            givenBack.count(new WorkerId("w-" + i));
        }
        assertThat(givenBack.of(WORKER)).isNull();
        assertThat(givenBack.of(new WorkerId("w-0"))).isNotNull();

        pass(GivenBack.FORGIVEN_AFTER);
        givenBack.count(WORKER);

        assertThat(givenBack.of(new WorkerId("w-9999"))).isNull();
        assertThat(givenBack.of(WORKER)).isNotNull();
    }

    @Test
    void aClockThatIsSetBack_forgivesInTheEnd() {
        pass(Duration.ZERO);
        givenBack.count(WORKER);
        pass(Duration.ofDays(-1));
        givenBack.count(WORKER);

        assertThat(times()).isLessThan(GivenBack.MOST);
        pass(GivenBack.FORGIVEN_AFTER.multipliedBy(GivenBack.MOST));
        assertThat(times()).isZero();
    }
}
