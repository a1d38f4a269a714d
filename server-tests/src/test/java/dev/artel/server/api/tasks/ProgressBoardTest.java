package dev.artel.server.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ProgressBoardTest {
    private static final WorkerId WORKER = new WorkerId("w1");

    private final ProgressBoard board = new ProgressBoard(() -> Instant.EPOCH, 800);

    private static LeaseToken lease(String job, int task) {
        return LeaseToken.mint(new JobId(job), task, 1, 7);
    }

    private boolean isKnown(String job, int task) {
        return board.find(new JobId(job), task, lease(job, task)).isPresent();
    }

    /// Trap: a worker with many tasks reports the longest message for each, and they fill the memory, or push out those of all others.
    @Test
    void messagesOfAWorkerHaveABoundInCharacters_andItsOwnGoFirst() {
        var other = new WorkerId("other");
        board.progressed(other, lease("other", 0), 0.1, "x".repeat(100));
        board.progressed(WORKER, lease("a", 0), 0.1, "x".repeat(60));
        board.progressed(WORKER, lease("a", 1), 0.1, "x".repeat(40));
        assertThat(isKnown("a", 0)).isTrue();
        assertThat(isKnown("a", 1)).isTrue();

        board.progressed(WORKER, lease("b", 0), 0.1, "x");

        assertThat(isKnown("a", 0)).isFalse();
        assertThat(isKnown("a", 1)).isTrue();
        assertThat(isKnown("b", 0)).isTrue();
        assertThat(isKnown("other", 0)).isTrue();
    }

    @Test
    void messagesOfAllHaveABound_andWhatWasReportedLongestAgoGoesFirst() {
        for (var i = 0; i < 9; i++) {
            board.progressed(new WorkerId("w" + i), lease("j" + i, 0), 0.1, "x".repeat(100));
            board.progressed(new WorkerId("w1"), lease("j1", 0), 0.2, "x".repeat(100));
        }

        assertThat(isKnown("j0", 0)).isFalse();
        assertThat(isKnown("j1", 0)).isTrue();
        assertThat(isKnown("j8", 0)).isTrue();
    }

    @Test
    void aMessageThatTakesThePlaceOfAnother_countsInItsPlace() {
        for (var i = 0; i < 100; i++) {
            board.progressed(WORKER, lease("a", 0), 0.1, "x".repeat(40));
            board.progressed(WORKER, lease("b", 0), 0.1, "");
        }

        assertThat(isKnown("a", 0)).isTrue();
        assertThat(isKnown("b", 0)).isTrue();
    }
}
