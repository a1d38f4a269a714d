package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.SampleJobs;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Reputation;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.question.Question;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the attempts of two workers at one task show about each of them.
final class ReputationTrackerTest {
    private static final Instant NOW = Instant.EPOCH;
    private static final WorkerId ANNA = new WorkerId("anna");
    private static final WorkerId BEN = new WorkerId("ben");

    private final ReputationTracker reputationTracker = new ReputationTracker((_, _) -> {});

    @Test
    void theFirstOfTwo_isJudged_andWhoWasOvertakenIsNot() {
        happened(granted(ANNA), granted(BEN), succeeded(ANNA));

        assertThat(reputationTracker.take()).isEqualTo(Map.of(ANNA, reputation(Outcome.SUCCEEDED)));
    }

    @Test
    void theSecondOfTwo_isJudgedAsWell() {
        happened(granted(ANNA), granted(BEN), succeeded(BEN));

        assertThat(reputationTracker.take()).isEqualTo(Map.of(BEN, reputation(Outcome.SUCCEEDED)));
    }

    @Test
    void whoTookTooLong_isJudged_andWhoIsLeftToo() {
        happened(granted(ANNA), granted(BEN), dropped(ANNA, true), succeeded(BEN));

        assertThat(reputationTracker.take())
                .isEqualTo(
                        Map.of(ANNA, reputation(Outcome.LOST), BEN, reputation(Outcome.SUCCEEDED)));
    }

    @Test
    void whoGaveItBack_isNotJudged_andTheFirstIsAsAlways() {
        happened(granted(ANNA), granted(BEN), dropped(BEN, false), succeeded(ANNA));

        assertThat(reputationTracker.take()).isEqualTo(Map.of(ANNA, reputation(Outcome.SUCCEEDED)));
    }

    @Test
    void whoseQuestionNobodyAnswered_isNotJudged() {
        var error =
                new TaskError(ErrorClass.EXECUTION_TIMEOUT, Question.UNANSWERED, "nobody answered");

        happened(granted(ANNA), new JobEvent.TaskFailed(0, error, true, NOW));

        assertThat(reputationTracker.take()).isEmpty();
    }

    private static Reputation reputation(Outcome outcome) {
        return Reputation.NEW.after(outcome);
    }

    private void happened(JobEvent... events) {
        reputationTracker.happened(SampleJobs.submitted("j", NOW), List.of(events));
    }

    private static LeaseToken token(WorkerId worker) {
        return new LeaseToken("lease of " + worker);
    }

    private static JobEvent granted(WorkerId worker) {
        var placement = new Placement(worker, "it was free", List.of(), new LinkedHashMap<>(), 1);
        return new JobEvent.LeaseGranted(
                0, new Lease(token(worker), worker, 1, NOW.plusSeconds(60)), placement, NOW);
    }

    private static JobEvent succeeded(WorkerId worker) {
        return new JobEvent.TaskSucceeded(0, token(worker), "success", Payload.EMPTY, NOW);
    }

    private static JobEvent dropped(WorkerId worker, boolean lingers) {
        return new JobEvent.AttemptDropped(
                0, token(worker), "it is over", lingers, Optional.empty(), NOW);
    }
}
