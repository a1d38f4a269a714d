package dev.artel.kernel.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.job.CheckedJob;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobSpec;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.RandomWorld;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ChildTest {
    private static final Outcomes ON = Outcomes.on(Outcomes.FINISHED, "after");
    private static final Action.RunBlueprint RUN =
            Action.runBlueprint("stage", JsonObject.EMPTY, ON);
    private static final JsonObject REPORT = JsonObject.of("outcome", JsonValue.of("finished"));

    private static ChildReport report(String outcome, int steps) {
        return new ChildReport(
                outcome,
                Payload.of(REPORT),
                steps,
                outcome.equals(Outcomes.FINISHED) ? Optional.empty() : Optional.of("no luck"));
    }

    private static Story waiting(Action action) {
        var story = Story.of(action);
        confirm(story);
        return story;
    }

    private static void confirm(Story story) {
        var start = story.pending(Effect.StartChild.class).getFirst();
        story.accepted(
                new JobCommand.ConfirmChild(start.parentLink().child(), start.id(), story.now()));
    }

    private static JobCommand.EndChild end(Story story, int child, ChildReport report) {
        return new JobCommand.EndChild(child, child(story, child).start(), report, story.now());
    }

    private static Child child(Story story, int number) {
        return story.job().children().children().get(number);
    }

    private static Story bornOf(ChildMode mode, int steps, int depth, String... path) {
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(
                        Story.spec(JobOptions.DEFAULTS)
                                .bornOf(
                                        new ParentLink(
                                                new JobId("parent"),
                                                new EffectId(7, 0),
                                                0,
                                                new JobId("root"),
                                                List.of(path),
                                                steps,
                                                depth,
                                                mode)),
                        story.now()));
        return story;
    }

    // Starting

    @Test
    void aJobThatRunsAnother_waitsForItsEnd_andHasItsResult() {
        var story = waiting(RUN.as("film"));
        story.assertStatus("waiting_for_sub_job");

        story.accepted(end(story, 0, report(Outcomes.FINISHED, 3)));

        assertThat(story.branch(0).state()).isEqualTo("after");
        assertThat(story.cause()).isEqualTo(new StepCause.ChildEnded(0, "finished"));
        assertThat(story.job().data().get("film")).contains(Payload.of(REPORT));
    }

    @Test
    void aChild_hasTheSameName_howeverOftenItIsStarted() {
        var story = Story.of(RUN);
        var start = story.pending(Effect.StartChild.class).getFirst();

        assertThat(start.job()).isEqualTo(JobId.ofChild(CheckedJob.ID, start.id()));
        assertThat(JobId.ofChild(new JobId("another"), start.id())).isNotEqualTo(start.job());
    }

    @Test
    void aSubmissionOfTheSameChildAgain_changesNothing_alsoInANewerVersion() {
        var story = bornOf(ChildMode.AWAITED, 10, 5, "tour");
        var spec = story.job().spec();
        var newer =
                new JobSpec(
                                new BlueprintRef("any", "2", "other"),
                                "begin",
                                "client",
                                spec.initialData(),
                                spec.options(),
                                JobSpec.CURRENT_RULES)
                        .bornOf(spec.parentLink().orElseThrow());

        assertThat(story.accepted(new JobCommand.Submit(newer, story.now()))).isEmpty();
    }

    @Test
    void aDetachedChild_isWaitedForUntilItHasBegun() {
        var story = Story.of(Action.startBlueprint("stage", JsonObject.EMPTY, "next"));
        story.assertStatus("waiting_for_sub_job");

        confirm(story);

        assertThat(story.branch(0).state()).isEqualTo("next");
        assertThat(child(story, 0).state()).isEqualTo(new Child.Free());
        story.step(0, Action.finish(JsonObject.EMPTY));
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aChildThatCannotBegin_countsAsFailed_withTheReasonInTheData() {
        var story = Story.of(RUN.otherwise("sorry").as("film"));
        var start = story.pending(Effect.StartChild.class).getFirst();

        story.accepted(
                new JobCommand.RefuseChild(0, start.id(), "there is no blueprint", story.now()));

        assertThat(story.branch(0).state()).isEqualTo("sorry");
        assertThat(story.job().data().get("film").orElseThrow().toString())
                .contains("there is no blueprint");
    }

    @Test
    void aChildThatCannotBegin_failsAJobThatHasNoAnswerToIt() {
        var story = Story.of(RUN);
        var start = story.pending(Effect.StartChild.class).getFirst();

        story.accepted(new JobCommand.RefuseChild(0, start.id(), "nobody knows it", story.now()));

        story.assertEnded(
                "failed",
                "child 0 (job "
                        + start.job()
                        + " of blueprint stage) could not be started: nobody knows it");
    }

    @Test
    void aWaitThatLeadsNowhere_isRefusedWhereItIsWritten() {
        assertThatThrownBy(() ->
                        Action.runBlueprint("stage", JsonObject.EMPTY, Outcomes.on("failed", "x")))
                .hasMessage(
                        "a child of blueprint 'stage' leads nowhere when it has finished; name a"
                                + " state for 'finished', found [failed]");
    }

    // Ending

    /// Trap: a child whose end is reported twice, or by two owners, resumes its parent twice.
    @Test
    void aParentRecordsTheEndOfAChildOnce_howeverOftenItIsReported() {
        var story = waiting(RUN);
        var first = end(story, 0, report(Outcomes.FINISHED, 3));
        story.accepted(first);

        assertThat(story.accepted(first)).isEmpty();
        assertThat(story.accepted(end(story, 0, report(Outcomes.FAILED, 3)))).isEmpty();
        assertThat(story.branch(0).state()).isEqualTo("after");
    }

    @Test
    void anEndThatComesBeforeTheWordThatTheChildBegan_countsAsBoth() {
        var story = Story.of(RUN);

        story.accepted(end(story, 0, report(Outcomes.FINISHED, 3)));

        assertThat(story.branch(0).state()).isEqualTo("after");
        assertThat(story.pending(Effect.StartChild.class)).isEmpty();
    }

    @Test
    void theEndOfAnotherChild_isRefused() {
        var story = waiting(RUN);

        assertThat(
                        story.give(
                                new JobCommand.EndChild(
                                        0,
                                        new EffectId(1, 9),
                                        report(Outcomes.FINISHED, 1),
                                        story.now())))
                .isInstanceOf(Decision.Rejected.class);
    }

    @Test
    void aCancelledChild_leadsWhereAFailedOneDoes_unlessSetOtherwise() {
        var story = waiting(RUN.otherwise("sorry"));

        story.accepted(end(story, 0, report(Outcomes.CANCELLED, 3)));

        assertThat(story.branch(0).state()).isEqualTo("sorry");
    }

    @Test
    void aFailedChild_failsItsParent_whichSaysWhy() {
        var story = waiting(RUN);

        story.accepted(end(story, 0, report(Outcomes.FAILED, 3)));

        assertThat(story.job().errorMessage().orElseThrow())
                .endsWith("of blueprint stage) failed: no luck");
        story.assertStatus("failed");
    }

    @Test
    void aQuarantinedChild_reportsOnlyToAParentThatAsksForIt() {
        var patient = bornOf(ChildMode.AWAITED, 10, 5, "tour");
        var impatient = bornOf(ChildMode.AWAITED_UNLESS_QUARANTINED, 10, 5, "tour");

        patient.stepFails(0, false);
        impatient.stepFails(0, false);

        assertThat(patient.pending(Effect.NotifyParent.class)).isEmpty();
        assertThat(impatient.pending(Effect.NotifyParent.class))
                .singleElement()
                .satisfies(notification ->
                        assertThat(notification.outcome()).isEqualTo("quarantined"));
    }

    /// Trap: a crash right after the end of a child, and its parent never receives the report.
    @Test
    void aFinalChild_isNotClosedBeforeItsParentKnows() {
        for (var ending : List.of("finish", "fail", "cancel", "discard")) {
            var story = bornOf(ChildMode.AWAITED, 10, 5, "tour");
            switch (ending) {
                case "finish" -> story.step(0, Action.finish(JsonObject.EMPTY));
                case "fail" -> story.step(0, Action.fail("no way"));
                case "cancel" -> story.cancel();
                default -> story.stepFails(0, false).cancel();
            }

            assertThat(story.job().isFinal()).as(ending).isTrue();
            assertThat(story.job().isClosed()).as(ending).isFalse();
            var notification = story.pending(Effect.NotifyParent.class).getFirst();
            story.accepted(new JobCommand.ConfirmParentNotified(notification.id(), story.now()));
            assertThat(story.job().isClosed()).as(ending).isTrue();
        }
    }

    // Going down

    @Test
    void cancel_goesDown_andWaitsForTheChildAsForAWorker() {
        var story = waiting(RUN);

        story.cancel();

        assertThat(story.job().isFinal()).isFalse();
        var stop = story.pending(Effect.StopChild.class).getFirst();
        story.accepted(new JobCommand.ConfirmStop(0, stop.id(), story.now()));
        assertThat(story.job().isFinal()).isFalse();
        story.accepted(end(story, 0, report(Outcomes.CANCELLED, 1)));
        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void cancel_endsAJobWithItsGrace_alsoIfItsChildDoesNotEnd() {
        var story = waiting(RUN);

        story.cancel().fires(new TimerKind.CancelGrace());

        story.assertEnded("cancelled", "not needed");
        assertThat(story.pending(Effect.StopChild.class)).hasSize(1);
        assertThat(story.job().isClosed()).isFalse();
    }

    /// Trap: the cancel overtakes the start, finds nobody, and the child then runs forever.
    @Test
    void aChildThatIsNoLongerWantedBeforeItBegan_isStoppedOnceItHas() {
        var story = Story.of(RUN);
        story.cancel().fires(new TimerKind.CancelGrace());
        assertThat(story.pending(Effect.StopChild.class)).isEmpty();

        confirm(story);

        assertThat(story.pending(Effect.StopChild.class)).hasSize(1);
    }

    @Test
    void aDetachedChild_outlivesItsParent() {
        var story = waiting(Action.startBlueprint("stage", JsonObject.EMPTY, "next"));

        story.cancel();

        story.assertStatus("cancelled");
        assertThat(story.job().isClosed()).isTrue();
        assertThat(story.pending(Effect.StopChild.class)).isEmpty();
    }

    @Test
    void theChildrenOfABranchThatIsNoLongerWanted_areStopped() {
        var story =
                Story.of(
                        Action.fork(List.of("left", "right"), "join")
                                .withPolicy(JoinPolicy.atLeast(1)));
        story.step(1, RUN);
        confirm(story);

        story.step(2, Action.endBranch());

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.pending(Effect.StopChild.class)).hasSize(1);
    }

    @Test
    void aDeadline_isAtMostThatOfTheParent_whichWaits() {
        var at = RandomWorld.BEGIN.plusSeconds(60);
        var story = Story.begun(withDeadline(at));

        story.step(0, RUN.within(Duration.ofHours(1)));

        assertThat(child(story, 0).spec().deadline()).contains(at);
        var detached = Story.begun(withDeadline(at));
        detached.step(0, Action.startBlueprint("stage", JsonObject.EMPTY, "next"));
        assertThat(child(detached, 0).spec().deadline()).isEmpty();
    }

    private static JobOptions withDeadline(Instant at) {
        return new JobOptions(
                0,
                Optional.of(at),
                new LinkedHashMap<>(),
                Optional.empty(),
                Duration.ofSeconds(10));
    }

    // Limits

    @Test
    void theEleventhGeneration_isRefused_andTheCycleNamed() {
        var story = bornOf(ChildMode.AWAITED, 100, 2, "tour", "stage");

        story.step(0, Action.runBlueprint("tour", JsonObject.EMPTY, ON));

        story.assertEnded(
                "failed",
                "child 0 (job "
                        + child(story, 0).id()
                        + " of blueprint tour) could not be started: the tree of job root may have"
                        + " 2 generations below its root, and tour > stage > any has them all; end"
                        + " the cycle tour > stage > any > tour");
    }

    @Test
    void aTreeWithoutSteps_refusesAnotherChild() {
        var story = bornOf(ChildMode.AWAITED, 1, 10, "tour");

        story.step(0, RUN.otherwise("sorry"));

        assertThat(story.job().errorMessage().orElseThrow())
                .contains("the tree of job root may take 1 steps in this job and below it");
    }

    /// Trap: a loop that starts a child in each round has failed after 29 rounds.
    @Test
    void childrenThatLiveByThemselves_takeNothingOfTheirParentsAllowance() {
        var story = Story.of(Action.transitionTo("next"));

        for (var round = 0; round < 2_000; round++) {
            story.step(0, Action.startBlueprint("stage", JsonObject.EMPTY, "next"));
            confirm(story);
            story.step(0, Action.waitFor(Duration.ofHours(1), "next"));
            story.fires(new TimerKind.BranchTimer(0));
        }

        assertThat(story.job().isFinal()).isFalse();
        assertThat(story.job().children().children().size()).isEqualTo(2_000);
        assertThat(story.job().isCountedAsTree()).isFalse();
    }

    @Test
    void aChildThatLivesByItself_goesByItsOwnBlueprint_unlessItIsAllottedSteps() {
        assertThat(bornOf(ChildMode.DETACHED, 0, 10, "tour").job().stepsAllowed())
                .isEqualTo(Guards.DEFAULTS.treeSteps());
        assertThat(bornOf(ChildMode.DETACHED, 5, 10, "tour").job().stepsAllowed()).isEqualTo(5);
        var story = Story.of(Action.startBlueprint("stage", JsonObject.EMPTY, "n").withSteps(7));
        assertThat(child(story, 0).steps()).isEqualTo(7);
        assertThat(child(story, 0).lent()).isZero();
    }

    @Test
    void whatAChildDidNotNeed_isTheParentsAgain() {
        var story = waiting(RUN);
        assertThat(child(story, 0).steps()).isEqualTo(900);
        assertThat(story.job().steps()).isEqualTo(901);

        story.accepted(end(story, 0, report(Outcomes.FINISHED, 7)));

        assertThat(story.job().steps()).isEqualTo(1 + 7 + 1);
    }

    @Test
    void branchesThatRunChildren_shareTheStepsThatAreLeft() {
        var story = Story.of(Action.fork(List.of("a", "b", "c", "d"), "join"));

        for (var branch = 1; branch <= 4; branch++) {
            story.step(branch, RUN);
        }

        assertThat(story.job().children().children().stream().map(Child::steps).toList())
                .containsExactly(224, 231, 243, 268);
    }

    @Test
    void aStateThatATreeHasNoStepsFor_isNotEntered() {
        var story = bornOf(ChildMode.AWAITED, 2, 10, "tour");
        story.step(0, Action.transitionTo("two"));

        story.step(0, Action.transitionTo("three"));

        assertThat(story.job().errorMessage().orElseThrow())
                .contains("all are taken or allotted; state three is not entered");
        assertThat(story.pending(Effect.NotifyParent.class)).hasSize(1);
    }
}
