package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReputationTrailsTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final WorkerId ONE = new WorkerId("one");

    private final ReputationTrails trails = new ReputationTrails();

    private static Instant after(long seconds) {
        return BEGIN.plusSeconds(seconds);
    }

    @Test
    void onlyChanges_areKept_oneForTenSeconds_andTheLastOneOfThose() {
        trails.begin(ONE, BEGIN, 1);
        trails.add(ONE, after(1), 0.9);
        trails.add(ONE, after(2), 0.8);
        trails.add(ONE, after(10), 0.7);
        trails.add(ONE, after(100), 0.7);
        trails.add(ONE, after(200), 0.75);

        assertThat(trails.of(ONE))
                .containsExactly(
                        new ReputationPoint(BEGIN, 1),
                        new ReputationPoint(after(1), 0.7),
                        new ReputationPoint(after(200), 0.75));
    }

    @Test
    void aTrail_isBounded_andItsOldestPointsGo() {
        trails.begin(ONE, BEGIN, 1);
        for (var i = 1; i <= 1000; i++) {
            trails.add(ONE, after(i * 10L), 1.0 / i);
        }

        assertThat(trails.of(ONE)).hasSize(ReputationTrails.MOST_EACH);
        assertThat(trails.of(ONE).getLast()).isEqualTo(new ReputationPoint(after(10_000), 0.001));
        assertThat(trails.points()).isEqualTo(ReputationTrails.MOST_EACH);
    }

    /// Trap: each worker is bounded, and their number is not.
    @Test
    void allTrails_areBounded_andWorkersThatLeave_giveTheirRoomBack() {
        for (var worker = 0; worker < ReputationTrails.MOST_WORKERS + 10; worker++) {
            var id = new WorkerId("w" + worker);
            trails.begin(id, BEGIN, 1);
            for (var i = 1; i <= 25; i++) {
                trails.add(id, after(i * 10L), 1.0 / (i + 1));
            }
        }
        assertThat(trails.points()).isEqualTo(ReputationTrails.MOST_POINTS);
        assertThat(trails.of(new WorkerId("w" + ReputationTrails.MOST_WORKERS))).isEmpty();

        for (var worker = 0; worker < ReputationTrails.MOST_WORKERS; worker++) {
            trails.end(new WorkerId("w" + worker));
        }
        assertThat(trails.points()).isZero();
        trails.add(ONE, BEGIN, 0.5);
        assertThat(trails.of(ONE)).isEqualTo(List.of());
    }
}
