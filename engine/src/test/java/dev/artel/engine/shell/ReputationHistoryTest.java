package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReputationHistoryTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final WorkerId ONE = new WorkerId("one");

    private final ReputationHistory history = new ReputationHistory();

    private static Instant after(long seconds) {
        return BEGIN.plusSeconds(seconds);
    }

    @Test
    void onlyChanges_areKept_oneForTenSeconds_andTheLastOneOfThose() {
        history.begin(ONE, BEGIN, 1);
        history.add(ONE, after(1), 0.9);
        history.add(ONE, after(2), 0.8);
        history.add(ONE, after(10), 0.7);
        history.add(ONE, after(100), 0.7);
        history.add(ONE, after(200), 0.75);

        assertThat(history.of(ONE))
                .containsExactly(
                        new ReputationPoint(BEGIN, 1),
                        new ReputationPoint(after(1), 0.7),
                        new ReputationPoint(after(200), 0.75));
    }

    @Test
    void aTrail_isBounded_andItsOldestPointsGo() {
        history.begin(ONE, BEGIN, 1);
        for (var i = 1; i <= 1000; i++) {
            history.add(ONE, after(i * 10L), 1.0 / i);
        }

        assertThat(history.of(ONE)).hasSize(ReputationHistory.MOST_EACH);
        assertThat(history.of(ONE).getLast()).isEqualTo(new ReputationPoint(after(10_000), 0.001));
        assertThat(history.points()).isEqualTo(ReputationHistory.MOST_EACH);
    }

    /// Trap: each worker is bounded, and their number is not.
    @Test
    void allTrails_areBounded_andWorkersThatLeave_giveTheirRoomBack() {
        for (var worker = 0; worker < ReputationHistory.MOST_WORKERS + 10; worker++) {
            var id = new WorkerId("w" + worker);
            history.begin(id, BEGIN, 1);
            for (var i = 1; i <= 25; i++) {
                history.add(id, after(i * 10L), 1.0 / (i + 1));
            }
        }
        assertThat(history.points()).isEqualTo(ReputationHistory.MOST_POINTS);
        assertThat(history.of(new WorkerId("w" + ReputationHistory.MOST_WORKERS))).isEmpty();

        for (var worker = 0; worker < ReputationHistory.MOST_WORKERS; worker++) {
            history.end(new WorkerId("w" + worker));
        }
        assertThat(history.points()).isZero();
        history.add(ONE, BEGIN, 0.5);
        assertThat(history.of(ONE)).isEqualTo(List.of());
    }
}
