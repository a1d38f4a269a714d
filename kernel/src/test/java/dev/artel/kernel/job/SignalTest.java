package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Signals;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs that wait for something to happen outside, or for an instant.
final class SignalTest {
    @Test
    void aSignalBringsTheBranchOn_andItsPayloadIntoTheData() {
        var story = Story.of(Action.awaitSignal("paid", "ship"));
        story.assertStatus("waiting_for_signal");

        var events = story.accepted(signal(story, "paid", "s1", 7));

        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("SignalReceived", "StateEntered");
        assertThat(story.branch(0).state()).isEqualTo("ship");
        assertThat(story.cause()).isEqualTo(new StepCause.SignalTaken("paid", "s1"));
        assertThat(story.job().data().get("paid")).contains(number(7));
        assertThat(story.pending(Effect.AwaitSignal.class)).isEmpty();
    }

    @Test
    void aSignalThatComesFirst_isKeptForTheBranchThatWaits() {
        var story = Story.begun();
        story.accepted(signal(story, "paid", "s1", 1));
        story.accepted(signal(story, "paid", "s2", 2));
        assertThat(story.job().signals().waiting()).hasSize(2);

        story.step(0, Action.awaitSignal("paid", "first"));
        assertThat(story.job().data().get("paid")).contains(number(1));
        story.step(0, Action.awaitSignal("paid", "second"));

        assertThat(story.branch(0).state()).isEqualTo("second");
        assertThat(story.job().data().get("paid")).contains(number(2));
        assertThat(story.job().signals().waiting()).isEmpty();
    }

    /// A sender that got no answer sends again: a second copy would be taken for the next signal.
    @Test
    void theSameSignalAgain_changesNothing_alsoWhenItWasTakenOrTheJobIsOver() {
        var story = Story.of(Action.awaitSignal("paid", "ship"));
        story.accepted(signal(story, "paid", "s1", 1));

        assertThat(story.accepted(signal(story, "paid", "s1", 1))).isEmpty();
        story.step(0, Action.finish(JsonObject.EMPTY));
        assertThat(story.accepted(signal(story, "paid", "s1", 1))).isEmpty();
    }

    @Test
    void anIdIsGoodForOneSignal() {
        var story = Story.begun();
        story.accepted(signal(story, "paid", "s1", 1));

        story.assertRefused(
                signal(story, "shipped", "s1", 1),
                Decision.Reason.KEY_REUSED,
                "job job-1: signal 'shipped' is refused: the id s1 is that of signal 'paid'; give"
                        + " each signal an id of its own");
    }

    @Test
    void aFinalJobTakesNoSignal() {
        var story = Story.of(Action.finish(JsonObject.EMPTY));

        story.assertRefused(
                signal(story, "paid", "s1", 1),
                Decision.Reason.FINAL,
                "job job-1: signal 'paid' is refused: the job is already finished since "
                        + story.now()
                        + "; the job does not wait for it");
    }

    /// A sender gone mad must not fill the store through a job that listens to something else.
    @Test
    void aJobKeepsAHundredSignals_andStillTakesTheOneItWaitsFor() {
        var story = Story.of(Action.awaitSignal("paid", "ship"));
        for (var i = 0; i < Signals.MOST_WAITING; i++) {
            story.accepted(signal(story, "noise", "n" + i, i));
        }

        story.assertRefused(
                signal(story, "noise", "n100", 1),
                Decision.Reason.FULL,
                "job job-1: signal 'noise' is refused: the job keeps 100 signals that it has not"
                        + " waited for yet; send it again when it waits");
        story.accepted(signal(story, "paid", "s1", 1));

        assertThat(story.branch(0).state()).isEqualTo("ship");
    }

    @Test
    void ofSeveralBranches_theOneThatWaitsLongestGetsIt_andOnlyOne() {
        var story = Story.of(Action.fork(List.of("a", "b"), "join"));
        story.step(2, Action.awaitSignal("go", "went"));
        story.step(1, Action.awaitSignal("go", "went"));

        story.accepted(signal(story, "go", "s1", 1));

        assertThat(story.branch(2).state()).isEqualTo("went");
        assertThat(story.branch(1).state()).isEqualTo("a");
        story.accepted(signal(story, "go", "s2", 2));
        assertThat(story.branch(1).state()).isEqualTo("went");
        assertThat(taken(story)).containsExactly("s2", "s1");
        assertThat(story.job().dataFor(2, new StepCause.SignalTaken("go", "s1")).get("go"))
                .contains(number(1));
    }

    /// Trap: what hundreds of branches have taken stays in memory as long as the job goes on.
    @Test
    void aTakenSignal_isKeptUntilTheStepBecauseOfItIsDone() {
        var story = Story.of(Action.fork(List.of("a", "b"), "join"));
        story.step(1, Action.awaitSignal("go", "went"));
        story.accepted(signal(story, "go", "s1", 1));
        story.step(2, Action.awaitSignal("go", "went"));
        story.accepted(signal(story, "go", "s2", 2));

        story.stepFails(1, true).fires(new TimerKind.BranchTimer(1));
        assertThat(taken(story)).containsExactly("s1", "s2");
        assertThat(story.job().dataFor(1, new StepCause.SignalTaken("go", "s1")).get("go"))
                .contains(number(1));
        story.step(1, Action.transitionTo("further"));

        assertThat(taken(story)).containsExactly("s2");
        story.step(1, Action.endBranch()).step(2, Action.transitionTo("further"));
        assertThat(taken(story)).isEmpty();
    }

    /// Trap: a handler that a person lets run again has the signal of another branch.
    @Test
    void whoRunsAgainByTheWordOfAPerson_hasTheSignalThatItTook() {
        var story = Story.of(Action.awaitSignal("go", "went"));
        story.accepted(signal(story, "go", "s1", 1));
        story.stepFails(0, false);
        story.assertStatus("quarantined");
        assertThat(taken(story)).containsExactly("s1");

        story.accepted(
                new JobCommand.ResolveQuarantine(
                        new QuarantineAction.Retry(JobData.EMPTY), "ben", story.now()));

        assertThat(story.cause()).isInstanceOf(StepCause.Resolved.class);
        assertThat(taken(story)).containsExactly("s1");
    }

    @Test
    void aJobThatIsOver_keepsNoSignalThatABranchTook() {
        var story = Story.of(Action.awaitSignal("go", "went"));
        story.accepted(signal(story, "go", "s1", 1));

        story.cancel();

        assertThat(story.job().isFinal()).isTrue();
        assertThat(taken(story)).isEmpty();
    }

    private static List<String> taken(Story story) {
        return story.job().branches().stream()
                .flatMap(branch -> branch.taken().stream())
                .map(Signals.Received::id)
                .toList();
    }

    @Test
    void nobodyWaitsBeyondTheDeadline() {
        var story =
                Story.of(
                        Action.awaitSignal("paid", "ship")
                                .within(Duration.ofDays(365 * 50), "remind"));

        story.fires(new TimerKind.BranchTimer(0));

        assertThat(story.branch(0).state()).isEqualTo("remind");
        assertThat(story.cause()).isEqualTo(new StepCause.Overdue("paid"));
        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
    }

    @Test
    void aSignalInTime_takesTheTimerAway() {
        var story =
                Story.of(Action.awaitSignal("paid", "ship").within(Duration.ofHours(1), "remind"));

        story.accepted(signal(story, "paid", "s1", 1));

        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
    }

    @Test
    void aJobThatWaits_canBeCancelled() {
        var story = Story.of(Action.awaitSignal("paid", "ship"));

        story.cancel();

        story.assertStatus("cancelled");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void whoWaitsForAnInstant_isWokenThen_andAtOnceIfItHasPassed() {
        var instant = Story.begun().now().plus(Duration.ofDays(20_000));
        var story = Story.of(Action.waitUntil(instant, "later"));

        assertThat(story.timer(new TimerKind.BranchTimer(0))).isEqualTo(instant);
        story.fires(new TimerKind.BranchTimer(0));
        story.step(0, Action.waitUntil(instant.minusSeconds(9), "past"));

        assertThat(story.timer(new TimerKind.BranchTimer(0))).isBefore(story.now());
        story.accepted(
                new JobCommand.FireTimer(
                        story.pending(Effect.ScheduleTimer.class).getFirst().id(),
                        new TimerKind.BranchTimer(0),
                        0,
                        story.now()));
        assertThat(story.branch(0).state()).isEqualTo("past");
    }

    /// Trap: a browser takes these out of addresses.
    @Test
    void dotsAlone_areNoName() {
        assertThat(Signals.isName("..")).isFalse();
        assertThat(Signals.isName(".")).isFalse();
        assertThat(Signals.isName("...")).isTrue();
    }

    @Test
    void waitsThatMakeNoSense_areRefused() {
        assertThatThrownBy(() -> Action.awaitSignal("not a name", "next"))
                .hasMessage(
                        "a signal's name must have 1 to 100 letters, digits, '-', '_' or '.', was"
                                + " 'not a name'");
        assertThatThrownBy(() -> Action.waitUntil(Instant.MAX, "next"))
                .hasMessageStartingWith("a wait must end before the year 10000, was until ");
        assertThatThrownBy(() -> Action.waitFor(Duration.ofSeconds(-1), "next"))
                .hasMessage("a wait must not be negative and at most 36500 days, was PT-1S");
        assertThatThrownBy(() -> Action.waitFor(Duration.ofDays(36_501), "next"))
                .hasMessage("a wait must not be negative and at most 36500 days, was PT876024H");
        assertThatThrownBy(() -> Action.awaitSignal("go", "next").within(Duration.ofDays(-1), "x"))
                .hasMessage("a deadline must not be negative and at most 36500 days, was PT-24H");
    }

    private static JobCommand.Submit submit(Story story, Optional<JobCommand.Signal> signal) {
        var options = JobOptions.DEFAULTS.withRequestDigest(Optional.of("the same request again"));
        return new JobCommand.Submit(Story.spec(options), signal, story.now());
    }

    /// Trap: the orchestrator dies between a submission and the signal that belongs to it.
    @Test
    void aSignalThatComesWithTheSubmission_isDecidedTogetherWithIt() {
        var story = new Story();

        var events = story.accepted(submit(story, Optional.of(signal(story, "paid", "s1", 7))));

        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("JobSubmitted", "StateEntered", "SignalReceived");
        story.step(0, Action.awaitSignal("paid", "ship"));
        assertThat(story.branch(0).state()).isEqualTo("ship");
        assertThat(story.job().data().get("paid")).contains(number(7));
    }

    @Test
    void theSameSubmissionWithAnotherSignal_bringsTheSignalToTheJob_andTheSameAgainNothing() {
        var story = new Story();
        story.accepted(submit(story, Optional.empty()));
        story.step(0, Action.awaitSignal("paid", "ship"));
        var paid = submit(story, Optional.of(signal(story, "paid", "s1", 7)));

        assertThat(story.accepted(paid))
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("SignalReceived", "StateEntered");
        assertThat(story.accepted(paid)).isEmpty();
        assertThat(story.accepted(submit(story, Optional.empty()))).isEmpty();
    }

    @Test
    void aSubmissionWithASignal_toAJobThatIsOver_isRefused_unlessItHasTheSignal() {
        var story = new Story();
        var first = submit(story, Optional.of(signal(story, "paid", "s1", 7)));
        story.accepted(first);
        story.step(0, Action.finish(JsonObject.EMPTY));

        assertThat(story.accepted(first)).isEmpty();
        story.assertRefused(
                submit(story, Optional.of(signal(story, "paid", "s2", 7))),
                Decision.Reason.FINAL,
                "job job-1: signal 'paid' is refused: the job is already finished since "
                        + story.now()
                        + "; the job does not wait for it");
    }

    private static JobCommand.Signal signal(Story story, String name, String id, int number) {
        return new JobCommand.Signal(name, id, number(number), "client", story.now());
    }

    private static Payload number(int number) {
        return Payload.of(JsonValue.of(number));
    }
}
