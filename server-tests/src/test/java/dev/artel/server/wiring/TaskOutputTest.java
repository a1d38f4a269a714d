package dev.artel.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.store.JobLogs;
import dev.artel.protocol.TaskLog;
import dev.artel.server.api.tasks.ProgressBoard;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class TaskOutputTest {
    private static final WorkerId WORKER = new WorkerId("w");
    private static final TaskLog.Line LONGEST =
            new TaskLog.Line(null, "info", "x".repeat(JobLogs.MAX_MESSAGE));

    private final List<JobLogs.Attempt> kept = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();
    private final JobLogs logs =
            new JobLogs() {
                @Override
                public boolean keep(Attempt attempt, List<Line> lines) {
                    lines.stream()
                            .map(JobLogs.Line::message)
                            .filter(message -> !message.equals(LONGEST.message()))
                            .forEach(messages::add);
                    if (lines.size() > 1 || !lines.getFirst().level().equals("warn")) {
                        kept.add(attempt);
                    }
                    return true;
                }

                @Override
                public List<Entry> read(
                        JobId job, OptionalInt task, Optional<Place> before, int limit) {
                    return List.of();
                }
            };

    private TaskOutput words(WorkerLimits limits) {
        var words =
                new TaskOutput(
                        InstantSource.system(), new ProgressBoard(InstantSource.system()), limits);
        words.keepIn(logs);
        return words;
    }

    private static LeaseToken lease(String job, int task) {
        return LeaseToken.mint(new JobId(job), task, 1, 7);
    }

    /// Trap: each attempt has its bound, and a job has attempts without bound.
    @Test
    void ofAJob_soMuchIsKept_andOthersAreNotHarmed() {
        var words = words(WorkerLimits.NONE);
        var lines = Collections.nCopies(1_000, LONGEST);
        for (var task = 0; task < 100; task++) {
            words.logged(WORKER, lease("chatty", task), lines);
        }
        words.logged(WORKER, lease("other", 0), lines);

        assertThat(kept).hasSize(17);
        assertThat(kept.getLast().job()).isEqualTo(new JobId("other"));
        assertThat(words.lines()).isEqualTo(17_000);
        assertThat(words.dropped()).isEqualTo(84_000);
        assertThat(messages)
                .hasSize(84)
                .containsOnly(
                        "lines are dropped from here on: the job has more than 64 MiB of log");
    }

    @Test
    void whatIsDropped_leavesALine_whereItBeginsAndWhereItEnds() {
        var isFull = new AtomicBoolean(true);
        var words =
                words(
                        new WorkerLimits() {
                            @Override
                            public Optional<Duration> take(WorkerId worker, Kind kind) {
                                return Optional.empty();
                            }

                            @Override
                            public Optional<Duration> takeBytes(WorkerId worker, long bytes) {
                                return isFull.get()
                                        ? Optional.of(Duration.ofSeconds(1))
                                        : Optional.empty();
                            }

                            @Override
                            public void giveBack(WorkerId worker, Kind kind) {}
                        });

        words.logged(WORKER, lease("job", 0), List.of(LONGEST));
        words.logged(WORKER, lease("job", 0), List.of(LONGEST, LONGEST));
        isFull.set(false);
        words.logged(WORKER, lease("job", 0), List.of(LONGEST));
        words.logged(WORKER, lease("job", 0), List.of(LONGEST));

        assertThat(messages)
                .containsExactly(
                        "lines are dropped from here on: the worker sends more than its bytes per"
                                + " minute",
                        "3 lines were dropped here");
    }

    @Test
    void aWorkerThatSaysMoreThanItMay_losesLines_whichAreCounted() {
        var asked = new ArrayList<Long>();
        var words =
                words(
                        new WorkerLimits() {
                            @Override
                            public Optional<Duration> take(WorkerId worker, Kind kind) {
                                return Optional.empty();
                            }

                            @Override
                            public Optional<Duration> takeBytes(WorkerId worker, long bytes) {
                                asked.add(bytes);
                                return Optional.of(Duration.ofSeconds(1));
                            }

                            @Override
                            public void giveBack(WorkerId worker, Kind kind) {}
                        });

        words.logged(WORKER, lease("job", 0), List.of(LONGEST));

        assertThat(asked).containsExactly(JobLogs.MAX_MESSAGE + 40L);
        assertThat(kept).isEmpty();
        assertThat(words.dropped()).isEqualTo(1);
    }
}
