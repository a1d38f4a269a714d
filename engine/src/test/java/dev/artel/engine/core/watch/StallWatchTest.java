package dev.artel.engine.core.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class StallWatchTest {
    private static final JobId JOB = new JobId("job-1");
    private static final LeaseToken TOKEN = new LeaseToken("job-1.0.1.x");
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final StallWatch watch = new StallWatch(Duration.ofMinutes(1));

    private static Look look(boolean isBusy, LeaseToken... slots) {
        return new Look(
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

    private List<Stall> at(int seconds, Look look) {
        return watch.see(look, BEGIN.plusSeconds(seconds));
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
    void whatIsTheSameAfterTheGrace_isToldOnce_andForgottenWhenItIsMended() {
        at(0, look(false, TOKEN));
        assertThat(watch.doubtful(BEGIN.plusSeconds(59))).isEmpty();
        assertThat(watch.doubtful(BEGIN.plusSeconds(60))).containsExactly(JOB);

        at(59, look(false, TOKEN));
        assertThat(at(60, look(false, TOKEN)))
                .singleElement()
                .satisfies(stall -> {
                    assertThat(stall.found()).contains("takes up a slot");
                    assertThat(stall.since()).isEqualTo(BEGIN);
                });
        assertThat(at(61, look(false, TOKEN))).isEmpty();
        assertThat(watch.stalls()).hasSize(1);

        at(62, look(false));
        assertThat(watch.stalls()).isEmpty();
    }

    /// Trap: the process stood still, and what was on its way before is still on its way.
    @Test
    void twoLooks_areNotEnough_howeverFarApart() {
        at(0, look(false, TOKEN));

        assertThat(at(600, look(false, TOKEN))).isEmpty();
        assertThat(watch.doubtful(BEGIN.plusSeconds(600))).containsExactly(JOB);
        assertThat(at(601, look(false, TOKEN))).hasSize(1);
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
