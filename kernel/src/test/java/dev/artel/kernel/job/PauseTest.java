package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs that stand still until somebody lets them go on.
final class PauseTest {
    private static final Outcomes ON = Outcomes.on("success", "second");

    @Test
    void noTaskOfAPausedJob_isHandedOut_untilItIsResumed() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        var offer = story.pending(Effect.Offer.class).getFirst();

        story.accepted(pause(story));

        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        story.assertRefused(
                Story.grantOf(offer, "late", "anna", story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: offer " + offer.id() + " of task 0 is no longer open");
        story.accepted(resume(story));
        story.succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("second");
    }

    @Test
    void aJobThatIsSubmittedPaused_beginsNothing_untilItIsResumed() {
        var now = RandomWorld.BEGIN;
        var submit =
                new JobCommand.Submit(Story.spec(JobOptions.DEFAULTS), now)
                        .paused(
                                Optional.of(
                                        new JobCommand.PauseJob(
                                                Optional.of("a repair"), "client alice", now)));

        var accepted =
                (Decision.Accepted)
                        Jobs.decide(new JobState.Unsubmitted(new JobId("job-1")), submit);

        assertThat(accepted.events())
                .extracting(JobEvent::getClass)
                .last()
                .isEqualTo(JobEvent.JobPaused.class);
        assertThat(accepted.asked())
                .filteredOn(effect -> !accepted.ended().contains(effect))
                .noneMatch(Effect.RunStep.class::isInstance);
        var job = (Job) accepted.after();
        assertThat(job.pause().orElseThrow().reason()).contains("a repair");
        var resumed =
                (Decision.Accepted) Jobs.decide(job, new JobCommand.ResumeJob("client bob", now));
        assertThat(resumed.asked()).filteredOn(Effect.RunStep.class::isInstance).hasSize(1);
    }

    @Test
    void aHandlerThatRuns_isNotHeard_andRunsAgain() {
        var story = Story.begun();
        var step = story.stepOf(0);

        story.accepted(pause(story));

        assertThat(story.pending(Effect.RunStep.class)).isEmpty();
        assertThat(
                        story.give(
                                new JobCommand.CompleteStep(
                                        step, Action.endBranch(), List.of(), story.now())))
                .isInstanceOf(Decision.Rejected.class);
        story.accepted(resume(story));
        story.step(0, Action.finish(JsonObject.EMPTY));
        story.assertStatus("finished");
    }

    @Test
    void whatRunsAtAWorker_goesOn_andItsResultIsRecorded() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.grant(0, "anna");

        story.accepted(pause(story));
        story.succeeds(0);

        assertThat(story.task(0)).isInstanceOf(Task.Succeeded.class);
        assertThat(story.branch(0).doing()).isInstanceOf(Branch.Stepping.class);
        assertThat(story.pending(Effect.RunStep.class)).isEmpty();
        story.accepted(resume(story));
        assertThat(story.pending(Effect.RunStep.class)).hasSize(1);
    }

    @Test
    void aTimer_goesOffAfterTheResume() {
        var story = Story.of(Action.waitFor(Duration.ofSeconds(10), "second"));
        var due = story.timer(new TimerKind.BranchTimer(0));

        story.accepted(pause(story));

        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
        story.after(Duration.ofHours(1)).accepted(resume(story));
        assertThat(story.timer(new TimerKind.BranchTimer(0))).isEqualTo(due);
    }

    @Test
    void theTimeInWhichATaskMustFindAWorker_beginsAgain() {
        var task =
                Story.TASK.withLimits(
                        new TaskLimits(
                                RetryPolicy.DEFAULTS,
                                3,
                                Optional.of(Duration.ofSeconds(60)),
                                Duration.ofSeconds(30)));
        var story = Story.of(Action.dispatch(task, ON));

        story.accepted(pause(story));
        story.after(Duration.ofHours(1)).accepted(resume(story));

        assertThat(story.timer(new TimerKind.TaskTimer(0))).isEqualTo(story.now().plusSeconds(60));
    }

    @Test
    void aSignal_isTaken_andItsStateBeginsAfterTheResume() {
        var story = Story.of(Action.awaitSignal("go", "second"));

        story.accepted(pause(story));
        story.accepted(
                new JobCommand.Signal(
                        "go", "1", Payload.of(JsonValue.of(1)), "client", story.now()));

        assertThat(story.branch(0).state()).isEqualTo("second");
        assertThat(story.pending(Effect.RunStep.class)).isEmpty();
        story.accepted(resume(story));
        assertThat(story.pending(Effect.RunStep.class)).hasSize(1);
    }

    @Test
    void pausingAgain_changesNothing_andTheFirstReasonStays() {
        var story = Story.begun();
        story.accepted(pause(story));

        assertThat(
                        story.accepted(
                                new JobCommand.PauseJob(
                                        Optional.of("another"), "bob", story.now())))
                .isEmpty();

        assertThat(story.job().pause())
                .hasValueSatisfying(pause -> {
                    assertThat(pause.by()).isEqualTo("client");
                    assertThat(pause.reason()).contains("not now");
                    assertThat(pause.at()).isEqualTo(story.now());
                });
        story.accepted(resume(story));
        assertThat(story.accepted(resume(story))).isEmpty();
        assertThat(story.job().pause()).isEmpty();
    }

    @Test
    void aCancel_worksInAPause() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.accepted(pause(story));

        story.cancel();

        story.assertStatus("cancelled");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void theDeadlineOfTheJob_keepsCounting_andWhatItDidIsCompensated() {
        var deadline = RandomWorld.BEGIN.plusSeconds(60);
        var story =
                Story.begun(
                        new JobOptions(
                                0,
                                Optional.of(deadline),
                                new LinkedHashMap<>(),
                                Optional.empty(),
                                Duration.ofSeconds(10)));
        story.step(0, Action.dispatch(Story.TASK, ON).compensatedBy(Story.TASK));
        story.succeeds(0);
        story.accepted(pause(story));

        story.fires(new TimerKind.JobDeadline());

        story.assertStatus("compensating");
        assertThat(story.job().pause()).isEmpty();
        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
    }

    @Test
    void aPausedJob_thatIsQuarantined_waitsForTheResumeAfterIt() {
        var story = Story.of(Action.dispatch(Story.TASK, Outcomes.on("success", "second")));
        story.grant(0, "anna");
        story.accepted(pause(story));
        story.fails(0, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");

        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Release(), "client", story.now()));

        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        story.accepted(resume(story));
        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
    }

    @Test
    void aSecondAttemptThatHasNotBegun_isDropped() {
        var story = Story.of(Action.dispatch(Story.TASK.hedgedAfter(Duration.ofSeconds(10)), ON));
        story.grant(0, "anna");
        story.hedges(0);

        story.accepted(pause(story));

        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        story.accepted(resume(story));
        story.succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("second");
    }

    @Test
    void aJobThatIsOver_isNeitherPausedNorResumed() {
        var story = Story.of(Action.finish(JsonObject.EMPTY));

        story.assertRefused(
                pause(story),
                Decision.Reason.FINAL,
                "job job-1 cannot be paused: it is already finished since " + story.now());
        story.assertRefused(
                resume(story),
                Decision.Reason.FINAL,
                "job job-1 cannot be resumed: it is already finished since " + story.now());
    }

    private static JobCommand pause(Story story) {
        return new JobCommand.PauseJob(Optional.of("not now"), "client", story.now());
    }

    private static JobCommand resume(Story story) {
        return new JobCommand.ResumeJob("client", story.now());
    }
}
