package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.Child;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// A fan-out of child jobs.
final class ManyChildrenTest {
    private static Action.RunBlueprints children(int count) {
        return Action.runBlueprints(
                "page",
                IntStream.range(0, count)
                        .mapToObj(i -> JsonObject.of("number", JsonValue.of(i)))
                        .toList(),
                "join");
    }

    private static List<Integer> starting(Story story) {
        return story.pending(Effect.StartChild.class).stream()
                .map(start -> start.parentLink().child())
                .toList();
    }

    private static Child child(Story story, int number) {
        return story.job().children().children().get(number);
    }

    private static void begin(Story story) {
        for (var start : story.pending(Effect.StartChild.class)) {
            story.accepted(
                    new JobCommand.ConfirmChild(
                            start.parentLink().child(), start.id(), story.now()));
        }
    }

    private static JobCommand end(Story story, int number, String outcome) {
        return new JobCommand.EndChild(
                number,
                child(story, number).start(),
                new ChildReport(
                        outcome,
                        Payload.of(JsonValue.of(number)),
                        2,
                        outcome.equals(Outcomes.FINISHED)
                                ? Optional.empty()
                                : Optional.of("no ink")),
                story.now());
    }

    private static void ends(Story story, int number, String outcome) {
        story.accepted(end(story, number, outcome));
    }

    @Test
    void theWindow_isHowManyChildrenLive() {
        var story = Story.of(children(5).withWindow(2));
        story.assertStatus("waiting_for_sub_job");
        assertThat(starting(story)).containsExactly(0, 1);
        begin(story);

        ends(story, 1, Outcomes.FINISHED);
        assertThat(starting(story)).containsExactly(2);
        begin(story);
        ends(story, 0, Outcomes.FINISHED);
        ends(story, 2, Outcomes.FINISHED);

        assertThat(starting(story)).containsExactly(3, 4);
        assertThat(child(story, 4).spec().initialData())
                .isEqualTo(JobData.of(JsonObject.of("number", JsonValue.of(4))));
    }

    @Test
    void all_isJoinedWhenTheLastHasFinished_withTheResultOfEach() {
        var story = Story.of(children(2));
        begin(story);

        ends(story, 1, Outcomes.FINISHED);
        ends(story, 0, Outcomes.FINISHED);

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.cause()).isEqualTo(new StepCause.ChildrenJoined(0, 2));
        assertThat(child(story, 1).state())
                .isEqualTo(new Child.Ended("finished", 2, Payload.of(JsonValue.of(1))));
        assertThat(story.job().data()).isEqualTo(JobData.EMPTY);
    }

    @Test
    void all_waitsForTheRest_andThenFails_namingTheFirst() {
        var story = Story.of(children(3));
        begin(story);

        ends(story, 1, Outcomes.FAILED);
        story.assertStatus("waiting_for_sub_job");
        ends(story, 0, Outcomes.FINISHED);
        ends(story, 2, Outcomes.FINISHED);

        story.assertEnded(
                "failed",
                "1 of 3 children did not finish; the first of them is child 1 (job "
                        + child(story, 1).id()
                        + ")");
    }

    @Test
    void failFast_stopsTheRest_andNeverStartsThoseWhoseTurnHasNotCome() {
        var story =
                Story.of(
                        children(4)
                                .withWindow(2)
                                .withPolicy(JoinPolicy.FAIL_FAST)
                                .otherwise("sorry"));
        begin(story);

        ends(story, 0, Outcomes.FAILED);

        assertThat(story.branch(0).state()).isEqualTo("sorry");
        assertThat(story.pending(Effect.StopChild.class)).hasSize(1);
        assertThat(starting(story)).isEmpty();
        assertThat(child(story, 3).state()).isEqualTo(new Child.Withdrawn());
    }

    @Test
    void settled_isJoined_whateverBecameOfThem() {
        var story = Story.of(children(2).withPolicy(JoinPolicy.SETTLED));
        var refused = story.pending(Effect.StartChild.class).getLast();

        story.accepted(new JobCommand.RefuseChild(1, refused.id(), "nobody knows it", story.now()));
        ends(story, 0, Outcomes.CANCELLED);

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void atLeast_goesOnWithEnough_andStopsTheRest() {
        var story = Story.of(children(3).withPolicy(JoinPolicy.atLeast(1)));
        begin(story);

        ends(story, 2, Outcomes.FINISHED);

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.pending(Effect.StopChild.class)).hasSize(2);
    }

    @Test
    void noChildren_areJoinedAtOnce() {
        var story = Story.of(children(0));

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.job().children().children().size()).isZero();
    }

    @Test
    void cancel_stopsThoseThatLive_andForgetsTheOthers() {
        var story = Story.of(children(3).withWindow(1));
        begin(story);

        story.cancel();

        var stop = story.pending(Effect.StopChild.class).getFirst();
        assertThat(starting(story)).isEmpty();
        story.accepted(new JobCommand.ConfirmStop(0, stop.id(), story.now()));
        ends(story, 0, Outcomes.CANCELLED);
        story.assertEnded("cancelled", "not needed");
        assertThat(starting(story)).isEmpty();
        assertThat(story.job().isClosed()).isTrue();
    }

    /// Trap: a child that was stopped ends, and its parent takes that for a place in the window.
    @Test
    void childrenThatARewindStopped_openNoOthers() {
        var story = Story.of(Action.transitionTo("next"));
        var back = new StateVisit("start", JobData.EMPTY, 0, 0, 0);
        story.step(0, children(3).withWindow(1));
        begin(story);
        story.accepted(new JobCommand.Rewind(back, "ada", story.now()));

        ends(story, 0, Outcomes.FINISHED);

        assertThat(story.branch(0).state()).isEqualTo("start");
        assertThat(starting(story)).isEmpty();
    }

    @Test
    void theEndOfAChildWhoseTurnHasNotCome_isRefused() {
        var story = Story.of(children(2).withWindow(1));

        assertThat(story.give(end(story, 1, Outcomes.FINISHED)))
                .isInstanceOf(Decision.Rejected.class);
    }

    @Test
    void whatTheyDid_isCompensatedOnce_ifTheJobFailsLater() {
        var story = Story.of(children(3).compensatedBy(Story.TASK));
        begin(story);
        IntStream.range(0, 3).forEach(i -> ends(story, i, Outcomes.FINISHED));

        story.step(0, Action.fail("changed my mind"));

        story.assertStatus("compensating");
        assertThat(story.job().compensationLog().registered()).hasSize(1);
        story.succeeds(0);
        story.assertEnded("failed", "changed my mind");
    }

    @Test
    void stepsThatAreLeft_areSharedEqually_andWhatIsNotUsedComesBack() {
        var story = Story.of(children(10));
        begin(story);
        assertThat(child(story, 7).steps()).isEqualTo(90);
        assertThat(story.job().steps()).isEqualTo(901);

        IntStream.range(0, 10).forEach(i -> ends(story, i, Outcomes.FINISHED));

        assertThat(story.job().steps()).isEqualTo(1 + 10 * 2 + 1);
    }

    @Test
    void moreChildrenThanTheTreeHasStepsFor_areNotStarted_andTheReasonSaysWhatToDo() {
        var story = Story.of(children(5_000));

        story.assertEnded(
                "failed",
                "5,000 children of blueprint page cannot be started: the tree of job "
                        + CheckedJob.ID
                        + " may take 1,000 steps in this job and below it, and 999 are left, where"
                        + " 5,000 children take one each at least; start fewer in one go, or allow"
                        + " more in the guards of the root's blueprint (withTreeSteps)");
        assertThat(story.job().children().children().size()).isZero();
    }

    @Test
    void thousandsOfChildren_areStartedAFewAtATime() {
        var story = Story.begun(Guards.DEFAULTS.withTreeSteps(100_000).withHistory(100_000));
        story.step(0, children(2_000).withWindow(50));

        for (var i = 0; i < 2_000; i++) {
            assertThat(starting(story)).hasSize(Math.min(50, 2_000 - i));
            ends(story, i, Outcomes.FINISHED);
        }

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void whatMakesNoSense_isRefusedWhereItIsWritten() {
        assertThatThrownBy(() -> children(1).withWindow(0))
                .hasMessage("window must be at least 1, was 0");
        assertThatThrownBy(() -> children(10_001))
                .hasMessageStartingWith("runBlueprints takes at most 10000 children, got 10001");
    }
}
