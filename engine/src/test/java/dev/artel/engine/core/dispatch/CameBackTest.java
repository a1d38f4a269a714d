package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class CameBackTest {
    private static final JobId JOB = new JobId("j");

    private final CameBack cameBack = new CameBack();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private void pass(Duration time) {
        now = now.plus(time);
        cameBack.at(now);
    }

    private void count(int task) {
        cameBack.count(LeaseToken.mint(JOB, task, 1, 5));
    }

    private boolean isOften(int task) {
        return cameBack.isOften(JOB, task, 1);
    }

    @Test
    void aTaskCounts_byItsJobNumberAndAttempt_forAWhileAfterTheLastTime() {
        pass(Duration.ZERO);
        count(7);
        pass(CameBack.KEPT_FOR.minusMillis(1));
        assertThat(isOften(7)).isFalse();
        count(7);
        pass(CameBack.KEPT_FOR.minusMillis(1));

        assertThat(isOften(7)).isTrue();
        assertThat(isOften(8)).isFalse();
        assertThat(cameBack.isOften(JOB, 7, 2)).isFalse();
        assertThat(cameBack.isOften(new JobId("k"), 7, 1)).isFalse();

        pass(Duration.ofMillis(1));
        assertThat(isOften(7)).isFalse();
        assertThat(cameBack.size()).isZero();
    }

    /// Trap: whatever came back once is remembered for good.
    @Test
    void ofTasksThatAreOver_nothingIsKept_norOfTooManyOthers() {
        pass(Duration.ZERO);
        count(-1 + CameBack.MOST_TASKS);
        count(-1 + CameBack.MOST_TASKS);
        for (var task = 0; task < CameBack.MOST_TASKS - 1; task++) {
            count(task);
            count(task);
        }
        assertThat(isOften(CameBack.MOST_TASKS - 1)).isTrue();
        count(CameBack.MOST_TASKS);
        assertThat(cameBack.size()).isEqualTo(CameBack.MOST_TASKS);
        assertThat(isOften(CameBack.MOST_TASKS - 1)).isFalse();
        assertThat(isOften(0)).isTrue();

        pass(CameBack.KEPT_FOR);
        count(0);

        assertThat(cameBack.size()).isEqualTo(1);
        assertThat(isOften(0)).isFalse();
    }

    @Test
    void whatWasCountedBeforeTheClockWasSetBack_isForgottenInTheEnd() {
        pass(Duration.ZERO);
        count(1);
        count(1);
        pass(Duration.ofDays(-1));
        count(2);
        count(2);

        assertThat(isOften(2)).isTrue();
        pass(CameBack.KEPT_FOR);
        assertThat(isOften(2)).isFalse();
        assertThat(cameBack.size()).isZero();
    }

    @Test
    void ofTokensThatGaveSomethingBack_theLastAreKept() {
        assertThat(cameBack.lastOf("a")).isZero();
        var a = cameBack.count("a");
        var b = cameBack.count("b");
        assertThat(cameBack.lastOf("a")).isEqualTo(a).isLessThan(b);
        assertThat(cameBack.joined()).isGreaterThan(b);

        for (var i = 0; i < CameBack.MOST_HOLDERS - 1; i++) {
            cameBack.count("holder-" + i);
        }

        assertThat(cameBack.lastOf("a")).isZero();
        assertThat(cameBack.lastOf("b")).isEqualTo(b);
    }
}
