package dev.artel.server.api.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class ProgressBoardTest {
    private static final WorkerId WORKER = new WorkerId("w1");

    private final ProgressBoard board = new ProgressBoard(() -> Instant.EPOCH, 100);

    private static LeaseToken lease(String job, int task) {
        return LeaseToken.mint(new JobId(job), task, 1, 7);
    }

    private boolean isKnown(String job, int task) {
        return board.find(new JobId(job), task, lease(job, task)).isPresent();
    }

    /// Trap: a worker with many tasks reports the longest message for each, and they fill the memory.
    @Test
    void messagesHaveABoundInCharacters_andThoseOfOtherJobsGoBeforeIt() {
        board.progressed(WORKER, lease("a", 0), 0.1, "x".repeat(60));
        board.progressed(WORKER, lease("a", 1), 0.1, "x".repeat(40));
        assertThat(isKnown("a", 0)).isTrue();
        assertThat(isKnown("a", 1)).isTrue();

        board.progressed(WORKER, lease("b", 0), 0.1, "x");

        assertThat(isKnown("a", 0)).isFalse();
        assertThat(isKnown("a", 1)).isFalse();
        assertThat(isKnown("b", 0)).isTrue();
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
