package dev.artel.engine.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class StallDetectorTest {
    private static final JobId JOB = new JobId("job-1");
    private static final LeaseToken TOKEN = new LeaseToken("job-1.0.1.x");
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final StallDetector watch = new StallDetector(Duration.ofMinutes(1), LONGEST_PAUSE);
    private int seconds;

    private static StallSnapshot look(boolean isBusy, LeaseToken... slots) {
        return new StallSnapshot(
                JOB,
                Optional.empty(),
                OptionalLong.empty(),
                isBusy,
                List.of(),
                new LinkedHashMap<>(),
                List.of(slots),
                new LinkedHashMap<>(),
                Optional.empty(),
                List.of(),
                BEGIN);
    }

    /// Lets the process run up to then.
    private void runTo(int then) {
        for (; seconds < then; seconds++) {
            watch.runs(BEGIN.plusSeconds(seconds));
        }
        watch.runs(BEGIN.plusSeconds(then));
    }

    private List<Stall> at(int then, StallSnapshot stallSnapshot) {
        runTo(then);
        return watch.see(stallSnapshot);
    }

    private void standStill(int length) {
        seconds += length;
    }

    /// Trap: what is on its way between two parts of the engine is taken for lost.
    @Test
    void whatIsSeenOnce_orIsGoneAgain_isNoFinding() {
        assertThat(at(0, look(false, TOKEN))).isEmpty();
        assertThat(at(59, look(false, TOKEN))).isEmpty();
        assertThat(at(60, look(false))).isEmpty();
        assertThat(at(61, look(false, TOKEN))).isEmpty();
        assertThat(watch.stalls()).isEmpty();
    }

    @Test
    void whatIsTheSameAfterTheGrace_isReportedOnce_andForgottenWhenItIsResolved() {
        at(0, look(false, TOKEN));
        at(59, look(false, TOKEN));
        assertThat(watch.doubtful()).isEmpty();
        runTo(60);
        assertThat(watch.doubtful()).containsExactly(JOB);

        assertThat(at(60, look(false, TOKEN)))
                .singleElement()
                .satisfies(stall -> {
                    assertThat(stall.found())
                            .contains(TOKEN.handOut() + " takes up a slot")
                            .doesNotContain(TOKEN.value());
                    assertThat(stall.key()).doesNotContain(TOKEN.value());
                    assertThat(stall.since()).isEqualTo(BEGIN);
                });
        assertThat(at(61, look(false, TOKEN))).isEmpty();
        assertThat(watch.stalls()).hasSize(1);

        at(62, look(false));
        assertThat(watch.stalls()).isEmpty();
    }

    @Test
    void twoLooks_areNotEnough_howeverFarApart() {
        at(0, look(false, TOKEN));

        assertThat(at(600, look(false, TOKEN))).isEmpty();
        assertThat(watch.doubtful()).containsExactly(JOB);
        assertThat(at(601, look(false, TOKEN))).hasSize(1);
    }

    /// Trap: the process stood still, and what was on its way before is still on its way.
    @Test
    void timeInWhichTheProcessStoodStill_doesNotCount() {
        at(0, look(false, TOKEN));
        at(10, look(false, TOKEN));
        at(20, look(false, TOKEN));
        standStill(116);

        // Of the standstill as much counts as of a long pause.
        assertThat(at(136, look(false, TOKEN))).isEmpty();
        assertThat(at(165, look(false, TOKEN))).isEmpty();
        assertThat(watch.doubtful()).isEmpty();
        assertThat(at(166, look(false, TOKEN))).hasSize(1);
    }

    @Test
    void aJobThatIsBusy_hasMoreTime_andWhatIsSeenOfItMeanwhileSaysNothing() {
        at(0, look(false, TOKEN));
        assertThat(at(100, look(true, TOKEN))).isEmpty();
        assertThat(at(399, look(true, TOKEN))).isEmpty();
        assertThat(at(400, look(true, TOKEN)))
                .singleElement()
                .satisfies(stall -> assertThat(stall.key()).startsWith("busy"));
    }
}
