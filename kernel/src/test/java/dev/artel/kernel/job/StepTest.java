package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class StepTest {
    @Test
    void aSubmittedJob_asksForItsFirstStep() {
        var story = Story.begun();

        assertThat(story.pending(Effect.class))
                .containsExactly(
                        new Effect.RunStep(
                                new EffectId(2, 0), 0, "start", new StepCause.Started(), 1));
        story.assertStatus("pending");
    }

    @Test
    void aCommandForAJobThatWasNotSubmitted_isRefused() {
        var unsubmitted = new JobState.Unsubmitted(CheckedJob.ID);

        assertThat(Jobs.decide(unsubmitted, new JobCommand.Cancel("why", RandomWorld.BEGIN)))
                .isEqualTo(
                        new Decision.Rejected(
                                Decision.Reason.UNKNOWN_JOB, "there is no job job-1"));
    }

    @Test
    void theSameSubmissionAgain_isAcceptedAndChangesNothing() {
        var first = withDigest(Optional.of("digest"));
        var story = Story.begun(first);

        assertThat(story.accepted(submit(first))).isEmpty();
    }

    @Test
    void theSameSubmissionWithoutAKey_isAcceptedAndChangesNothing() {
        var story = Story.begun();

        assertThat(story.accepted(submit(JobOptions.DEFAULTS))).isEmpty();
    }

    @Test
    void anotherRequestUnderTheSameKey_isRefused() {
        var story = Story.begun(withDigest(Optional.of("digest")));

        for (var other : List.of(Optional.of("another"), Optional.<String>empty())) {
            story.assertRefused(
                    submit(withDigest(other)),
                    Decision.Reason.KEY_REUSED,
                    "job job-1 was submitted under the same idempotency key with another request;"
                            + " use a new key");
        }
    }

    @Test
    void aHandlerThatFails_isRunAgainLater_andThenQuarantinesTheJob() {
        var story = Story.begun();
        var timer = new TimerKind.BranchTimer(0);

        story.stepFails(0, true);
        story.assertStatus("awaiting_retry");
        assertThat(story.timer(timer)).isEqualTo(story.now().plusSeconds(1));
        story.fires(timer).stepFails(0, true);
        assertThat(story.timer(timer)).isEqualTo(story.now().plusSeconds(2));
        story.fires(timer).stepFails(0, true).fires(timer).stepFails(0, true);

        story.assertEnded("quarantined", "the handler of state start failed 4 times: disk full");
    }

    @Test
    void theNextState_beginsWithNoFailures() {
        var story = Story.begun();

        story.stepFails(0, true).fires(new TimerKind.BranchTimer(0));
        story.step(0, Action.transitionTo("next"));

        assertThat(story.pending(Effect.RunStep.class).getFirst().attempt()).isOne();
        assertThat(story.cause()).isEqualTo(new StepCause.Moved("start"));
    }

    /// Trap: one counter for the failures of handlers and of tasks, never begun anew: a job that has got over all of its
    /// troubles is given up at the next one.
    @Test
    void failuresOfHandlersAndTasks_areCountedApart_andNoneIsCarriedOn() {
        var story = Story.begun();
        var timer = new TimerKind.BranchTimer(0);
        var again = Action.dispatch(Story.TASK, Outcomes.on("success", "next"));

        for (var round = 0; round < 3; round++) {
            for (var failure = 0; failure < 3; failure++) {
                story.stepFails(0, true).fires(timer);
            }
            story.step(0, again);
            for (var failure = 0; failure < 3; failure++) {
                story.fails(round, ErrorClass.TRANSIENT);
            }
            story.assertStatus("waiting_for_worker");
            story.succeeds(round);
            story.assertStatus("running");
            assertThat(story.pending(Effect.RunStep.class).getFirst().attempt()).isOne();
        }
    }

    /// Trap: a blueprint that goes round and round fills the disk.
    @Test
    void aJobThatGoesRoundWithoutWaiting_isFailed() {
        var story = Story.begun();

        for (var i = 0; i < Branch.MOST_MOVES; i++) {
            story.step(0, Action.transitionTo(i % 2 == 0 ? "back" : "start"));
        }
        story.assertStatus("running");
        story.step(0, Action.transitionTo("back"));

        story.assertEnded(
                "failed",
                "went through 1000 states without waiting for anything, the last from start to"
                        + " back (the last ones repeat: start -> back -> start (500 times)); end the loop, or let it wait for a task or for time");
    }

    @Test
    void aJobThatWaitsAsItGoesRound_mayGoOnForever() {
        var story = Story.begun();

        for (var i = 0; i < Branch.MOST_MOVES; i++) {
            story.step(0, Action.transitionTo("wait"));
            story.step(0, Action.waitFor(Duration.ofSeconds(1), "start"));
            story.fires(new TimerKind.BranchTimer(0));
        }

        assertThat(story.branch(0).moves()).isZero();
        story.assertStatus("running");
    }

    @Test
    void aLostRunOfAHandler_isDropped() {
        var story = Story.begun();
        var lost = story.stepOf(0);
        story.step(0, Action.transitionTo("next"));

        story.assertRefused(
                new JobCommand.FailStep(lost, "too late", true, 0.5, story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: step 2.0 is no longer waited for; its result is dropped");
    }

    @Test
    void aWait_isOverWithItsTimer() {
        var story = Story.of(Action.waitFor(Duration.ofMinutes(3), "after"));

        story.assertStatus("waiting");
        story.fires(new TimerKind.BranchTimer(0));

        assertThat(story.now()).isEqualTo(RandomWorld.BEGIN.plusSeconds(180));
        assertThat(story.branch(0).state()).isEqualTo("after");
    }

    @Test
    void aTimerForWhatIsNotThere_isRefused() {
        var story = Story.begun();

        for (var timerKind :
                List.of(
                        new TimerKind.BranchTimer(9),
                        new TimerKind.BranchTimer(-1),
                        new TimerKind.TaskTimer(0),
                        new TimerKind.TaskTimer(-1))) {
            story.assertRefused(
                    new JobCommand.FireTimer(new EffectId(2, 0), timerKind, 0.5, story.now()),
                    Decision.Reason.STALE_EFFECT,
                    "job job-1: timer 2.0 is no longer set");
        }
    }

    @Test
    void endStatesOnTheWay_areKept() {
        var story = Story.begun();

        story.accepted(
                new JobCommand.CompleteStep(
                        story.stepOf(0),
                        Action.finish(JsonObject.EMPTY),
                        List.of("almost", "done"),
                        story.now()));

        assertThat(story.branch(0).state()).isEqualTo("done");
        story.assertStatus("finished");
    }

    @Test
    void theMainBranch_canEndTheJobAsABranchDoes() {
        var well = Story.of(Action.endBranch());
        var badly = Story.of(Action.failBranch("no paper"));

        well.assertStatus("finished");
        badly.assertEnded("failed", "no paper");
    }

    private static JobCommand submit(JobOptions options) {
        return new JobCommand.Submit(Story.spec(options), RandomWorld.BEGIN);
    }

    private static JobOptions withDigest(Optional<String> digest) {
        return new JobOptions(
                0,
                Optional.empty(),
                new LinkedHashMap<>(),
                digest,
                JobOptions.DEFAULTS.cancelGrace());
    }
}
