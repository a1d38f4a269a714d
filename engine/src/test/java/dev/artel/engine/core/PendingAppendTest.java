package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.engine.core.PendingAppend.Outcome;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.store.Append;
import dev.artel.kernel.store.AppendResult;
import dev.artel.kernel.store.JobRow;
import dev.artel.kernel.store.StoredEvents;
import dev.artel.kernel.store.StreamId;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class PendingAppendTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId ID = new JobId("j");
    private static final Decision.Accepted SUBMITTED =
            decided(new JobState.Unsubmitted(ID), SampleJobs.SPEC);
    private static final List<JobEvent> EVENTS = SUBMITTED.events();
    private static final List<JobEvent> OTHERS = cancelled("no longer wanted");
    private static final int SIZE = EVENTS.size();

    private final PendingAppend pending = append(0, EVENTS);

    @Test
    void aConflictOfTheFirstAttempt_isOne() {
        assertThat(pending.answered(new AppendResult.VersionConflict(SIZE)))
                .get()
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void aConflictAfterAnUnknownOutcome_asksForTheStream() {
        pending.unknown();

        assertThat(pending.answered(new AppendResult.VersionConflict(SIZE))).isEmpty();
    }

    @Test
    void aConflictWithAStreamThatIsTooShort_isOne() {
        var second = append(SIZE, OTHERS);
        second.unknown();

        assertThat(second.answered(new AppendResult.VersionConflict(0)))
                .get()
                .isInstanceOf(Outcome.Failed.class);
    }

    @Test
    void anAppendThatTheStreamHas_isDurable() {
        pending.unknown();

        assertThat(pending.compare(List.of(stored(1, EVENTS)))).isEqualTo(new Outcome.Durable());
        assertThat(pending.compare(List.of(stored(1, EVENTS), stored(SIZE + 1, OTHERS))))
                .isEqualTo(new Outcome.Durable());
    }

    @Test
    void anAppendBehindOthersOfTheSameWrite_isFound() {
        var second = append(SIZE, OTHERS);
        second.unknown();
        var together = Stream.concat(EVENTS.stream(), OTHERS.stream()).toList();

        assertThat(second.compare(List.of(stored(1, together)))).isEqualTo(new Outcome.Durable());
    }

    @Test
    void otherEventsInItsPlace_areAConflict() {
        var second = append(SIZE, OTHERS);
        second.unknown();

        assertThat(second.compare(List.of(stored(SIZE + 1, cancelled("too late")))))
                .isInstanceOf(Outcome.Failed.class);
        assertThat(second.compare(List.of())).isInstanceOf(Outcome.Failed.class);
    }

    private static StoredEvents stored(long version, List<JobEvent> events) {
        return new StoredEvents(version, version, events);
    }

    private static PendingAppend append(long expected, List<JobEvent> events) {
        var job = (Job) SUBMITTED.after();
        return new PendingAppend(
                new Append(StreamId.of(ID), expected, events, JobRow.of(job, NOW)));
    }

    private static List<JobEvent> cancelled(String reason) {
        return ((Decision.Accepted)
                        Jobs.decide(SUBMITTED.after(), new JobCommand.Cancel(reason, NOW)))
                .events();
    }

    private static Decision.Accepted decided(JobState before, dev.artel.kernel.job.JobSpec spec) {
        return (Decision.Accepted) Jobs.decide(before, new JobCommand.Submit(spec, NOW));
    }
}
