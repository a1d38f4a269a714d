package dev.artel.kernel.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.QuarantineAction;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GuardsTest {
    private static final Action FIX = Action.waitFor(Duration.ofSeconds(1), "fix");
    private static final Action CHECK = Action.waitFor(Duration.ofSeconds(1), "check");

    /// Trap: a loop that waits a little in each round goes on until the disk is full.
    @Test
    void aJobThatEntersTooManyStates_isQuarantined_andTheMessageNamesTheCycle() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(20));

        goRound(story, 20);

        story.assertEnded(
                "quarantined",
                "entered 21 states, and its blueprint allows 20; the last ones repeat: check -> fix"
                        + " -> check (10 times). Release it to let it enter as many again, or discard"
                        + " it and end the loop in its blueprint");
        assertThat(story.pending(Effect.RunStep.class)).isEmpty();
    }

    @Test
    void whoReleasesIt_letsItEnterAsManyAgain_alsoAfterAReplay() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(20));
        goRound(story, 20);

        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Release(), "client anna", story.now()));

        assertThat(story.branch(0).state()).isEqualTo("check");
        story.assertStatus("running");
        goRound(story, 19);
        story.assertStatus("running");
        goRound(story, 1);
        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow()).startsWith("entered 21 states");
        assertThat(Jobs.evolve(new JobState.Unsubmitted(story.job().id()), story.events()).after())
                .isEqualTo(story.job());
    }

    @Test
    void whoTakesItBack_letsItEnterAsManyAgain() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(20));
        goRound(story, 20);
        var back = StateVisit.last(story.job().id(), story.events(), "fix").orElseThrow();

        story.accepted(new JobCommand.Rewind(back, "client anna", story.now()));

        assertThat(story.job().enteredSinceAllowed()).isEqualTo(1);
        story.assertStatus("running");
    }

    @Test
    void aJobThatWasStopped_canBeCancelledAndDiscarded_andNotSkipped() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(20));
        goRound(story, 20);

        story.assertRefused(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Skip("success", Payload.EMPTY),
                        "client anna",
                        story.now()),
                Decision.Reason.NOT_AWAITED,
                "job job-1 cannot be skipped: it was stopped before the handler of state check ran,"
                        + " and what follows it is not defined; release it");
        story.cancel();

        story.assertEnded("cancelled", "not needed");
    }

    /// Trap: a cancel that has to enter a state is stopped by the limit of states, and the job neither ends nor goes on.
    @Test
    void aCancelThatEntersAState_isNotStoppedByTheLimit() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(1));
        story.step(
                0,
                Action.dispatch(
                        Story.TASK, Outcomes.on("success", "next").and("cancelled", "tidy")));

        story.cancel();

        assertThat(story.branch(0).state()).isEqualTo("tidy");
        story.assertStatus("running");
    }

    @Test
    void aBranchThatGoesRound_endsBadly_andTheJobSaysWhereItWent() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(10));
        story.step(0, Action.fork(List.of("check"), "join"));
        for (var i = 0; i < 9; i++) {
            story.step(1, i % 2 == 0 ? FIX : CHECK);
            story.fires(new TimerKind.BranchTimer(1));
        }

        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("entered 11 states")
                .contains("fix -> check -> fix (5 times)");
        story.assertStatus("quarantined");
    }

    @Test
    void moreBranchesThanStatesAreAllowed_areNotBegun() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(3));

        story.step(0, Action.fork(List.of("a", "b", "c"), "join"));

        story.assertEnded(
                "quarantined",
                "cannot begin 3 branches after 1 states: its blueprint allows 3; the last ones were"
                        + " start");
        assertThat(story.job().branches().size()).isOne();
    }

    @Test
    void aHandlerIsRunAgain_asItsBlueprintSays() {
        var story =
                Story.begun(
                        Guards.DEFAULTS.withHandlerRetry(RetryPolicy.DEFAULTS.withMaxAttempts(2)));

        story.stepFails(0, true).fires(new TimerKind.BranchTimer(0)).stepFails(0, true);

        story.assertEnded("quarantined", "the handler of state start failed 2 times: disk full");
    }

    @Test
    void whatAStateSaysOfItsRetries_comesFirst() {
        var story = Story.begun(Guards.DEFAULTS.withHandlerRetry(RetryPolicy.NEVER));
        var twice = RetryPolicy.DEFAULTS.withMaxAttempts(2);

        for (var i = 0; i < 2; i++) {
            story.accepted(
                    new JobCommand.FailStep(
                            story.stepOf(0), "torn", true, 0.5, Optional.of(twice), story.now()));
            if (i == 0) {
                story.fires(new TimerKind.BranchTimer(0));
            }
        }

        story.assertEnded("quarantined", "the handler of state start failed 2 times: torn");
    }

    @Test
    void aJobWithTooManyEvents_waitsForAPerson_andStillDoesWhatTheySay() {
        var story = Story.begun(Guards.DEFAULTS.withHistory(30));
        while (story.job().status().equals("running") || story.job().status().equals("pending")) {
            goRound(story, 1);
        }

        assertThat(story.job().errorMessage().orElseThrow())
                .matches("has 3\\d events, and its blueprint allows 30; the last ones repeat: .*");

        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Release(), "client anna", story.now()));
        goRound(story, 5);
        story.assertStatus("running");
    }

    /// Trap: a task that workers give back again and again fills the history without any state being entered.
    @Test
    void aTaskThatIsGivenBackForever_failsWhenTheHistoryIsFull() {
        var story = Story.begun(Guards.DEFAULTS.withHistory(50));
        story.step(0, Action.dispatch(Story.TASK, Outcomes.on("success", "done")));

        for (var i = 0; i < 50 && story.job().status().equals("waiting_for_worker"); i++) {
            story.ends(0, story.grant(0, "anna"), LeaseEnd.Returned.NOT_RECEIVED);
        }

        assertThat(story.job().version()).isBetween(50L, 55L);
        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith(
                        "task 0 (work) was handed out and given back until its job was too long");
    }

    @Test
    void aSignalThatNobodyWaitsFor_isRefusedWhenTheHistoryIsFull() {
        var story = Story.begun(Guards.DEFAULTS.withHistory(3));
        for (var i = 0; i < 2; i++) {
            story.accepted(signal(story, "s" + i));
        }

        story.assertRefused(
                signal(story, "s2"),
                Decision.Reason.FULL,
                "job job-1: signal 'go' is refused: the job does not wait for it, and it has 4 events,"
                        + " and its blueprint allows 3; send it when the job waits");
    }

    @Test
    void limitsThatLetNothingHappen_areRefused() {
        assertThatThrownBy(() -> Guards.DEFAULTS.withTransitions(0))
                .hasMessage("transitions must be at least 1, was 0");
        assertThatThrownBy(() -> Guards.DEFAULTS.withHistory(-1))
                .hasMessage("history must be at least 1, was -1");
        assertThatThrownBy(() -> Guards.DEFAULTS.withTreeSteps(0))
                .hasMessage("tree steps must be at least 1, was 0");
        assertThatThrownBy(() -> Guards.DEFAULTS.withTreeDepth(-1))
                .hasMessage("tree depth must not be negative, was -1");
        assertThatThrownBy(() -> Guards.DEFAULTS.withCompensationTimeout(Duration.ofDays(36_501)))
                .hasMessage(
                        "compensation time must be positive and at most 36500 days, was PT876024H");
        assertThatThrownBy(() -> Guards.DEFAULTS.withHandlerTime(Duration.ZERO))
                .hasMessage("handler time must be positive and at most 36500 days, was PT0S");
    }

    private static JobCommand signal(Story story, String id) {
        return new JobCommand.Signal("go", id, Payload.EMPTY, "client", story.now());
    }

    /// Enters `states` more states; the job is in `start`, `check` or `fix`.
    private static void goRound(Story story, int states) {
        for (var i = 0; i < states; i++) {
            story.step(0, story.branch(0).state().equals("fix") ? CHECK : FIX);
            story.fires(new TimerKind.BranchTimer(0));
        }
    }
}
