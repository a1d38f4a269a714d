package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.LeaseEnd.Returned;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CancelTest {
    private static final Outcomes ON_SUCCESS = Outcomes.on("success", "done");

    @Test
    void aJobThatNoWorkerIsAt_endsAtOnce() {
        var story = Story.of(Action.dispatch(Story.TASK, ON_SUCCESS));

        story.cancel();

        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aJobWhoseWorkersGiveUp_endsWithTheLastOfThem() {
        var story = twoAtWork();
        var first = story.leaseOf(0);
        var second = story.leaseOf(1);

        story.cancel();
        story.accepted(story.reportOf(0, first, new TaskReport.Cancelled()));
        story.assertStatus("waiting_for_parallel_tasks");
        story.ends(1, second, Returned.RELEASED);

        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aJobWhoseWorkersDoNotAnswer_endsWithTheGrace_andStaysOpenForTheirSlots() {
        var story = twoAtWork();

        story.cancel().fires(new TimerKind.CancelGrace());

        assertThat(story.now()).isEqualTo(RandomWorld.BEGIN.plusSeconds(10));
        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().isClosed()).isFalse();
        assertThat(story.pending(Effect.Revoke.class)).hasSize(2);
    }

    @Test
    void aResultThatComesDuringTheGrace_isNotApplied() {
        var story = Story.of(Action.dispatch(Story.TASK, ON_SUCCESS));
        var lease = story.grant(0, "anna");

        story.cancel();
        story.accepted(
                story.reportOf(0, lease, new TaskReport.Succeeded("success", Payload.EMPTY)));

        story.assertEnded("cancelled", "not needed");
        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
    }

    @Test
    void aStateForCancellation_isEnteredWhenTheWorkerHasGivenUp() {
        var story =
                Story.of(
                        Action.dispatch(
                                Story.TASK, ON_SUCCESS.and(Outcomes.CANCELLED, "clean-up")));
        var lease = story.grant(0, "anna");

        story.cancel().ends(0, lease, Returned.RELEASED);

        assertThat(story.branch(0).state()).isEqualTo("clean-up");
        assertThat(story.cause()).isEqualTo(new StepCause.TaskEnded(0, Outcomes.CANCELLED));
        story.step(0, Action.finish(JsonObject.EMPTY));
        story.assertStatus("finished");
    }

    @Test
    void aStateForCancellation_isEnteredAtTheEndOfTheGrace() {
        var story =
                Story.of(
                        Action.dispatch(
                                Story.TASK, ON_SUCCESS.and(Outcomes.CANCELLED, "clean-up")));
        story.grant(0, "anna");

        story.cancel().fires(new TimerKind.CancelGrace());

        assertThat(story.branch(0).state()).isEqualTo("clean-up");
        assertThat(story.job().lingering()).isOne();
    }

    @Test
    void aSecondCancel_endsTheJobThatIsCleaningUp() {
        var story =
                Story.of(
                        Action.dispatch(
                                Story.TASK, ON_SUCCESS.and(Outcomes.CANCELLED, "clean-up")));

        story.cancel().cancel();

        story.assertEnded("cancelled", "not needed");
    }

    @Test
    void aQuarantinedJob_isDiscarded_withoutTheStateForCancellation() {
        var story =
                Story.of(
                        Action.dispatch(
                                Story.TASK, ON_SUCCESS.and(Outcomes.CANCELLED, "clean-up")));
        story.fails(0, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");

        story.cancel();

        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aCancelDuringTheGrace_changesNothing() {
        var story = twoAtWork();

        story.cancel();

        assertThat(story.accepted(new JobCommand.Cancel("again", story.now()))).isEmpty();
    }

    @Test
    void aFinalJob_isNotCancelled() {
        var story = Story.of(Action.finish(JsonObject.EMPTY));

        story.assertRefused(
                new JobCommand.Cancel("too late", story.now()),
                Decision.Reason.FINAL,
                "job job-1 is already finished since 2026-01-01T00:00:00Z; nothing to cancel");
    }

    @Test
    void theDeadline_endsAJobThatIsBeingCancelled() {
        var story = Story.begun(deadline(RandomWorld.BEGIN.plusSeconds(3)));
        story.step(0, Action.dispatch(Story.TASK, ON_SUCCESS));
        story.grant(0, "anna");

        story.cancel().fires(new TimerKind.JobDeadline());

        story.assertEnded("failed", "the job's deadline 2026-01-01T00:00:03Z has passed");
        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
    }

    @Test
    void theDeadline_endsAQuarantinedJob() {
        var story = Story.begun(deadline(RandomWorld.BEGIN.plusSeconds(3)));
        story.stepFails(0, false);
        story.assertEnded("quarantined", "the handler of state start failed once: disk full");

        story.fires(new TimerKind.JobDeadline());

        story.assertEnded("failed", "the job's deadline 2026-01-01T00:00:03Z has passed");
        assertThat(story.job().isClosed()).isTrue();
    }

    private static Story twoAtWork() {
        var story = Story.of(Action.dispatchParallel(List.of(Story.TASK, Story.TASK), "join"));
        story.grant(0, "anna");
        story.grant(1, "ben");
        return story;
    }

    private static JobOptions deadline(Instant at) {
        return new JobOptions(
                0,
                Optional.of(at),
                new LinkedHashMap<>(),
                Optional.empty(),
                JobOptions.DEFAULTS.cancelGrace());
    }

    private static Story handling(Action first) {
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(
                        Story.spec(JobOptions.DEFAULTS).withCancelState(Optional.of("tidy")),
                        story.now()));
        story.step(0, first);
        return story;
    }

    @Test
    void aBlueprintThatHandlesCancels_isEnteredWithTheReason_whereverTheJobIs() {
        var story = handling(Action.fork(List.of("left", "right"), "joined"));
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));
        story.step(2, Action.waitFor(Duration.ofHours(1), "done"));
        var lease = story.grant(0, "anna");

        story.cancel();
        story.assertStatus("waiting_for_parallel_tasks");
        story.ends(0, lease, Returned.RELEASED);

        assertThat(story.branch(0).state()).isEqualTo("tidy");
        assertThat(story.cause()).isEqualTo(new StepCause.Cancelled("not needed"));
        assertThat(story.branch(1).doing()).isEqualTo(new Branch.Stopped());
        assertThat(story.branch(2).doing()).isEqualTo(new Branch.Stopped());
        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
        story.step(0, Action.finish(JsonObject.EMPTY));
        story.assertStatus("finished");
    }

    @Test
    void aFurtherCancel_endsAJobWhoseBlueprintHandlesTheFirst() {
        var story = handling(Action.dispatch(Story.TASK, ON_SUCCESS));

        story.cancel();
        assertThat(story.branch(0).state()).isEqualTo("tidy");
        story.step(0, Action.waitFor(Duration.ofHours(1), "done"));
        story.cancel();

        story.assertEnded("cancelled", "not needed");
    }

    @Test
    void aQuarantinedJob_isCancelledWithoutItsBlueprint() {
        var story = handling(Action.transitionTo("next"));
        story.stepFails(0, false);
        story.assertStatus("quarantined");

        story.cancel();

        story.assertEnded("cancelled", "not needed");
    }
}
