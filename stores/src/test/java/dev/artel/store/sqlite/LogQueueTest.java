package dev.artel.store.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogQueueTest {
    private static final JobLogs.Attempt CHATTY = new JobLogs.Attempt(new JobId("chatty"), 0, 1);
    private static final JobLogs.Attempt OTHER = new JobLogs.Attempt(new JobId("other"), 0, 1);
    private static final JobLogs.Line LONG =
            new JobLogs.Line(Instant.EPOCH, "info", "x".repeat(JobLogs.MAX_MESSAGE));
    private static final JobLogs.Line SHORT = new JobLogs.Line(Instant.EPOCH, "info", "y");

    private final LogQueue queue = new LogQueue(LogQueue.BYTES);

    private List<String> written(JobLogs.Attempt attempt) {
        var messages = new ArrayList<String>();
        for (var some = queue.take(); !some.isEmpty(); some = queue.take()) {
            some.stream()
                    .filter(entry -> entry.attempt().equals(attempt))
                    .flatMap(entry -> entry.lines().stream())
                    .forEach(line -> messages.add(line.message()));
            queue.written(some);
        }
        return messages;
    }

    /// Trap: ten thousand entries of a thousand long lines each are 80 GB.
    @Test
    void longLines_areBoundedByTheirBytes_alsoWhileTheyAreWritten() {
        var lines = Collections.nCopies(100, LONG);
        var taken = 0;
        while (taken < 1_000 && queue.offer("chatty", CHATTY, lines)) {
            taken++;
        }

        assertThat(taken * 100L * JobLogs.MAX_MESSAGE).isBetween(1L << 20, LogQueue.BYTES);
        var some = queue.take();
        assertThat(queue.offer("chatty", CHATTY, lines)).isFalse();
        queue.written(some);
        assertThat(queue.offer("chatty", CHATTY, lines)).isTrue();
    }

    /// Trap: one worker that logs as much as it can has all the room, and the lines of all others are dropped.
    @Test
    void aWorker_leavesRoomForTheLinesOfOthers_howeverManyAttemptsItHas() {
        var taken = 0;
        while (queue.offer(
                "chatty", new JobLogs.Attempt(new JobId("j-" + taken), 0, 1), List.of(SHORT))) {
            taken++;
        }
        assertThat(taken).isBetween(1_000, 5_000);
        while (queue.offer("chatty", CHATTY, Collections.nCopies(10, LONG))) {
            // until its entries or bytes are used up
        }

        assertThat(queue.offer("other", OTHER, Collections.nCopies(100, LONG))).isTrue();
        assertThat(written(OTHER)).hasSize(100);
        assertThat(queue.offer("chatty", CHATTY, List.of(SHORT))).isTrue();
    }

    @Test
    void whatIsDropped_isNamedByALineInItsPlace() {
        var lines = Collections.nCopies(100, LONG);
        while (queue.offer("chatty", CHATTY, lines)) {
            // until there is no room
        }
        assertThat(queue.offer("chatty", CHATTY, lines)).isFalse();
        var some = queue.take();
        queue.written(some);

        assertThat(queue.offer("chatty", CHATTY, List.of(SHORT))).isTrue();

        assertThat(written(CHATTY))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("200 lines (about ")
                .contains("were dropped here");
    }

    @Test
    void whatIsDroppedLast_isNamed_alsoWhereNoLineFollows() {
        while (queue.offer("chatty", CHATTY, Collections.nCopies(100, LONG))) {
            // until there is no room
        }
        assertThat(queue.offer("other", OTHER, Collections.nCopies(1_000, LONG))).isFalse();

        assertThat(written(OTHER))
                .singleElement()
                .asString()
                .startsWith("1000 lines (about ")
                .contains("were dropped here");
        assertThat(queue.take()).isEmpty();
    }
}
