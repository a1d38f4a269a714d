package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.core.dispatch.DispatchSurvey.WaitingType;
import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.engine.HandOut;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What waits, why, and for how long, by task type.
final class DispatchSurveyTest implements DispatchSink {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final JobId JOB = new JobId("job");
    private static final WorkerId W1 = new WorkerId("w1");

    private final DispatchCore core = new DispatchCore(new SplittableRandom(1));
    private final List<String> placed = new ArrayList<>();
    private int number;

    @Override
    public void grant(JobId job, JobCommand.Grant grant) {}

    @Override
    public void handOut(long ask, WorkerId worker, List<HandOut> tasks) {
        throw new AssertionError("nothing was made durable");
    }

    @Override
    public void placed(String type, Duration waited) {
        placed.add(type + " after " + waited.toSeconds() + " s");
    }

    private Effect.Offer offer(String type, Instant opened, Instant notBefore) {
        number++;
        var spec = TaskSpec.of(type, JsonObject.EMPTY);
        var offer =
                new Effect.Offer(
                        new EffectId(number, 0),
                        number,
                        1,
                        TaskOutline.of("blueprint", spec),
                        0,
                        "acme",
                        opened,
                        notBefore,
                        List.of());
        core.offer(JOB, offer, NOW, this);
        return offer;
    }

    private static Instant ago(int seconds) {
        return NOW.minusSeconds(seconds);
    }

    private DispatchSurvey survey() {
        return core.questions().survey(NOW);
    }

    private WaitingType of(String type) {
        return survey().waiting().stream()
                .filter(each -> each.type().equals(type))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void tasks_areCountedByType_withTheOldest_andTheReason() {
        offer("paint", ago(30), ago(30));
        var oldest = offer("paint", ago(90), ago(90));
        offer("paint", ago(10), ago(10));
        offer("print", ago(5), ago(5));

        assertThat(of("paint").tasks()).isEqualTo(3);
        assertThat(of("paint").oldest()).isEqualTo(ago(90));
        var reason = of("paint").reasons().getFirst();
        assertThat(reason.reason().hold().word()).isEqualTo("no_workers");
        assertThat(reason.tasks()).isEqualTo(3);
        assertThat(reason.job()).isEqualTo(JOB);
        assertThat(of("print").tasks()).isEqualTo(1);

        core.withdraw(JOB, oldest);

        assertThat(of("paint").tasks()).isEqualTo(2);
        assertThat(of("paint").oldest()).isEqualTo(ago(30));
    }

    /// Trap: an attempt that is queued again counts the time of the attempts before it as a wait.
    @Test
    void aTaskThatIsQueuedAgain_waitsSinceThen_andOneThatBacksOffIsCounted() {
        var later = NOW.plusSeconds(60);
        offer("paint", ago(3_600), ago(20));
        var backsOff = offer("paint", ago(3_600), later);

        assertThat(of("paint").tasks()).isEqualTo(2);
        assertThat(of("paint").oldest()).isEqualTo(ago(20));
        assertThat(of("paint").reasons())
                .extracting(each -> each.reason().hold().word())
                .containsExactlyInAnyOrder("no_workers", "backoff");

        core.due(later, this);
        assertThat(of("paint").reasons()).hasSize(1);
        assertThat(of("paint").tasks()).isEqualTo(2);

        core.withdraw(JOB, backsOff);
        assertThat(of("paint").tasks()).isEqualTo(1);
    }

    /// Trap: the example of those that back off is one that has left since.
    @Test
    void theExampleOfThoseThatBackOff_isOneThatIsStillThere() {
        var later = NOW.plusSeconds(60);
        var stays = offer("paint", ago(20), later);
        var leaves = offer("paint", ago(10), later);

        core.withdraw(JOB, leaves);

        var reason = of("paint").reasons().getFirst();
        assertThat(reason.reason().hold().word()).isEqualTo("backoff");
        assertThat(reason.task()).isEqualTo(stays.task());
    }

    @Test
    void ofVeryManyTypesThatBackOff_allAreCounted_andSomeExplained() {
        for (var i = 0; i < 200; i++) {
            offer("type-" + i, ago(20), NOW.plusSeconds(60));
        }

        var waiting = survey().waiting();
        assertThat(waiting).hasSize(200).allMatch(each -> each.tasks() == 1);
        assertThat(waiting.stream().filter(each -> !each.reasons().isEmpty())).hasSize(128);
    }

    @Test
    void aTaskThatIsPlaced_reportsItsWait_andTakesUpASlot() {
        offer("paint", ago(30), ago(12));

        core.joined(WorkerProfile.of(W1, List.of("paint"), 3), NOW, this);
        core.asked(1, W1, 1, NOW, this);

        assertThat(placed).containsExactly("paint after 12 s");
        var survey = survey();
        assertThat(survey.waiting()).isEmpty();
        assertThat(survey.leased()).containsExactly(Map.entry("paint", 1));
        assertThat(survey.fleet().workers()).isEqualTo(1);
        assertThat(survey.fleet().slots()).isEqualTo(3);
        assertThat(survey.fleet().busy()).isEqualTo(1);
        assertThat(survey.fleet().wires()).containsExactly(Map.entry("http", 1));
    }
}
