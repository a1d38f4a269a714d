package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class UndoTest {
    private static final int MANY = 10_000;

    /// Nodes on the way to an element of so many.
    private static final int DEEPEST = 3;

    private static final Outcomes ON = Outcomes.on("success", "next");
    private static final Action RESERVE = Action.dispatch(Story.TASK, ON).undoneBy(task("release"));
    private static final Action PAY = Action.dispatch(Story.TASK, ON).undoneBy(task("refund"));

    private static TaskSpec task(String type) {
        return TaskSpec.of(type, JsonObject.EMPTY)
                .withRetry(RetryPolicy.DEFAULTS.withMaxAttempts(2));
    }

    /// Two things are done, both of which can be undone.
    private static Story twice() {
        var story = Story.of(RESERVE).succeeds(0);
        story.step(0, PAY).succeeds(1);
        return story;
    }

    private static String typeOf(Story story, int task) {
        return story.job().tasks().get(task).spec().type();
    }

    @Test
    void aJobThatFails_undoesWhatItDid_fromTheLastToTheFirst() {
        var story = twice();

        story.step(0, Action.fail("no stock"));

        story.assertStatus("compensating");
        assertThat(typeOf(story, 2)).isEqualTo("refund");
        story.succeeds(2);
        assertThat(typeOf(story, 3)).isEqualTo("release");
        story.succeeds(3);
        story.assertEnded("failed", "no stock");
        assertThat(story.job().undo().undone()).hasSize(2);
        assertThat(story.job().isClosed()).isTrue();
    }

    /// Trap: each of ten thousand branches copies what all others have declared and done, in every fold of the job.
    @Test
    void aChange_ofOneBranchOfMany_copiesAFewNodes() {
        var by = new Compensation.ByTask(task("release"));
        var undo = Undo.NONE;
        for (var strand = 0; strand < MANY; strand++) {
            var after = undo.declare(new Undo.Done(strand, "reserve", by));
            assertSharesItsStructure(strand, undo, after);
            undo = after;
        }
        for (var strand = 0; strand < MANY; strand++) {
            var after = undo.complete(strand);
            assertSharesItsStructure(strand, undo, after);
            undo = after;
        }
        assertThat(undo.done().size()).isEqualTo(MANY);
        for (var one = 0; one < MANY; one++) {
            var after = undo.undone(Optional.empty());
            assertSharesItsStructure(one, undo, after);
            undo = after;
        }

        assertThat(undo.done().isEmpty()).isTrue();
        assertThat(undo.undone().getLast().what().strand()).isZero();
    }

    private static void assertSharesItsStructure(int turn, Undo before, Undo after) {
        // To count them looks at all nodes, so that not every change is looked at.
        if (turn % 500 == 499) {
            assertThat(PersistentVectorNodes.copied(before.declared(), after.declared()))
                    .isLessThanOrEqualTo(2 * DEEPEST);
            assertThat(PersistentVectorNodes.copied(before.done(), after.done()))
                    .isLessThanOrEqualTo(DEEPEST);
            assertThat(PersistentVectorNodes.copied(before.undone(), after.undone()))
                    .isLessThanOrEqualTo(DEEPEST);
        }
    }

    @Test
    void aJobThatFinishes_undoesNothing() {
        var story = twice();

        story.step(0, Action.finish(JsonObject.EMPTY));

        story.assertStatus("finished");
        assertThat(story.job().tasks().size()).isEqualTo(2);
    }

    @Test
    void aCancelledJob_undoesWhatItDid_andIsCancelledThen() {
        var story = twice();
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));

        story.cancel().succeeds(2).succeeds(3);

        story.assertEnded("cancelled", "not needed");
    }

    @Test
    void anUndoingHasRetriesOfItsOwn_andWhatFailsIsNamedInTheEnd() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        story.fails(2, ErrorClass.TRANSIENT);
        story.after(Duration.ofMinutes(1)).fails(2, ErrorClass.TRANSIENT);
        story.succeeds(3);

        story.assertStatus("failed");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("no stock; and not everything could be undone: state next: task 2")
                .contains("(refund) failed after 2 attempts");
    }

    @Test
    void aCancelledJobThatCouldNotBeUndone_hasFailed_withBothReasons() {
        var story = Story.of(RESERVE).succeeds(0);

        story.cancel().fails(1, ErrorClass.PERMANENT);

        story.assertStatus("failed");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("not needed; and not everything could be undone: state start: task 1");
    }

    @Test
    void aState_undoesWithAllThatItKnows_andMayWaitForTasks() {
        var story = Story.of(Action.dispatch(Story.TASK, ON).undoneBy("refund")).succeeds(0);
        story.step(0, Action.fail("no stock"));

        assertThat(story.strand(1).state()).isEqualTo("refund");
        story.step(1, Action.dispatch(Story.TASK, Outcomes.on("success", "refunded")));
        story.succeeds(1);

        story.assertStatus("failed");
    }

    @Test
    void aStateThatCannotUndo_saysWhy() {
        var story = Story.of(Action.dispatch(Story.TASK, ON).undoneBy("refund")).succeeds(0);
        story.step(0, Action.fail("no stock"));

        story.step(1, Action.failBranch("the bank is closed"));

        story.assertEnded(
                "failed",
                "no stock; and not everything could be undone: state start: the bank is closed");
    }

    /// Trap: the worker goes on with what is being undone.
    @Test
    void undoingWaitsForWorkersToGiveUp_atMostForTheGrace() {
        var story =
                Story.of(
                        Action.fork(List.of("left", "right"), "join")
                                .withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, RESERVE);
        story.grant(0, "anna");

        story.step(2, Action.fail("no stock"));

        story.assertStatus("compensating");
        assertThat(story.job().tasks().size()).isEqualTo(1);
        story.fires(new Waking.CancelGrace());
        assertThat(typeOf(story, 1)).isEqualTo("release");
        story.succeeds(1);
        story.assertEnded("failed", "no stock");
    }

    /// Trap: a cancelled payment whose worker never answered was made after all.
    @Test
    void whatWasWithAWorkerWhenTheJobWasCancelled_isUndone_sinceNobodyKnows() {
        var story = Story.of(PAY);
        story.grant(0, "anna");

        story.cancel().fires(new Waking.CancelGrace());

        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }

    @Test
    void whatNoWorkerHad_isNotUndone() {
        var story = Story.of(PAY);

        story.cancel();

        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().tasks().size()).isEqualTo(1);
    }

    @Test
    void undoingEndsWithItsLimit_andNamesWhatIsLeft() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        story.fires(new Waking.JobDeadline());

        story.assertEnded(
                "failed",
                "no stock; and not everything could be undone: state next: was not undone within"
                        + " PT1H; state start: was not undone within PT1H");
    }

    @Test
    void aCancelWhileItIsUndone_changesNothing() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        assertThat(story.accepted(new JobCommand.Cancel("again", story.now()))).isEmpty();
    }

    @Test
    void onlyTasksAndChildren_canBeUndone() {
        assertThatThrownBy(() -> Action.transitionTo("next").undoneBy("back"))
                .hasMessage("only tasks and children can be undone, not TransitionTo");
    }

    private static JobCommand.Rewind back(Story story, int done) {
        return new JobCommand.Rewind(
                new Visit("next", JobData.EMPTY, done, done), "client alice", story.now());
    }

    @Test
    void aJobThatIsTakenBack_undoesWhatItDidSince_andGoesOnFromThere() {
        var story = twice();
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));

        story.accepted(back(story, 1));

        story.assertStatus("compensating");
        assertThat(typeOf(story, 2)).isEqualTo("refund");
        story.succeeds(2);
        assertThat(story.strand(0).state()).isEqualTo("next");
        assertThat(story.cause()).isEqualTo(new StepCause.Mended("rewound", "client alice"));
        assertThat(story.job().undo().done()).hasSize(1);
        story.step(0, PAY).succeeds(3);
        story.step(0, Action.fail("no stock"));
        story.succeeds(4).succeeds(5);
        story.assertEnded("failed", "no stock");
    }

    @Test
    void aJobThatWasTakenBack_andNotWhollyUndone_waitsForAPerson() {
        var story = Story.of(Action.transitionTo("next"));
        story.step(0, PAY).succeeds(0);
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));
        var first = story.events().subList(0, 3);

        story.accepted(
                new JobCommand.Rewind(
                        Visit.last(CheckedJob.ID, first, "start").orElseThrow(),
                        "client alice",
                        story.now()));
        story.fails(1, ErrorClass.PERMANENT);

        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith(
                        "it was taken back to state start by client alice, and not everything could"
                                + " be undone: state next: task 1 (refund) failed with a permanent"
                                + " error")
                .endsWith("undo it by hand, then release the job");
        assertThat(story.strand(0).state()).isEqualTo("start");
    }

    @Test
    void aCancelWhileAJobIsTakenBack_isACancel_andUndoesAll() {
        var story = twice();
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));
        story.accepted(back(story, 1));

        story.cancel();

        assertThat(typeOf(story, 3)).isEqualTo("refund");
        story.succeeds(3);
        assertThat(typeOf(story, 4)).isEqualTo("release");
        story.succeeds(4);
        story.assertEnded("cancelled", "not needed");
    }

    /// Trap: the job has for ever the hour in which it had to go back.
    @Test
    void theDeadlineOfAJobThatWasTakenBack_isItsOwnAgain() {
        var story = twice();
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));
        assertThat(story.job().deadline()).isEmpty();

        story.accepted(back(story, 1));
        assertThat(story.job().deadline()).isPresent();
        story.succeeds(2);

        assertThat(story.job().deadline()).isEmpty();
    }

    /// Trap: a child has paid in the moment in which its parent failed.
    @Test
    void aChildThatFinishesBeforeItKnowsThatItIsNotWanted_isUndone() {
        var run =
                Action.runBlueprint("pay", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "paid"))
                        .undoneBy(task("refund"));
        var story = Story.of(Action.fork(List.of("left", "right"), "join"));
        story.step(1, run);
        var child = story.job().family().children().get(0);
        story.accepted(new JobCommand.ConfirmChild(0, child.start(), story.now()));

        story.step(2, Action.fail("no stock"));
        story.assertStatus("compensating");
        assertThat(story.job().tasks().size()).isZero();
        story.accepted(
                new JobCommand.EndChild(
                        0,
                        child.start(),
                        new ChildReport(Outcomes.FINISHED, Payload.EMPTY, 3, Optional.empty()),
                        story.now()));

        assertThat(typeOf(story, 0)).isEqualTo("refund");
        story.succeeds(0);
        story.assertEnded("failed", "no stock");
    }

    /// Trap: what a worker has is undone in the middle of the grace of the cancel.
    @Test
    void aCancelWhileAJobThatIsTakenBackWaitsForAWorker_hasAGraceOfItsOwn() {
        var story = twice();
        story.step(0, PAY);
        story.grant(2, "anna");
        story.accepted(back(story, 1));
        story.assertStatus("compensating");

        story.cancel();

        assertThat(story.pending(Effect.WakeAt.class))
                .extracting(Effect.WakeAt::waking)
                .containsExactly(new Waking.CancelGrace());
        story.fires(new Waking.CancelGrace());
        assertThat(typeOf(story, 3)).isEqualTo("refund");
        story.succeeds(3).succeeds(4).succeeds(5);
        story.assertEnded("cancelled", "not needed");
    }

    /// Trap: the worker that was lost has paid, the author's state that is to find out fails, and the payment stays.
    @Test
    void whatIsInDoubtWhenItsReconcilingStateIsEntered_isUndone_sinceNobodyKnows() {
        var story =
                Story.of(
                        Action.dispatch(
                                        Story.TASK.notIdempotent(),
                                        ON.and(Outcomes.UNKNOWN, "look"))
                                .undoneBy(task("refund")));
        var lease = story.grant(0, "anna");
        story.ends(0, lease, LeaseEnding.Lost.EXPIRED);
        assertThat(story.strand(0).state()).isEqualTo("look");

        story.step(0, Action.fail("the bank does not answer"));

        story.assertStatus("compensating");
        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }

    /// Trap: of two workers at a payment the first is lost and has paid, the second one fails.
    @Test
    void whatOneOfTwoWorkersMayHaveDone_isUndone_thoughTheOtherOneFails() {
        var story =
                Story.of(
                        Action.dispatch(Story.TASK.hedgedAfter(Duration.ofSeconds(30)), ON)
                                .undoneBy(task("refund")));
        var first = story.grant(0, "anna");
        story.hedges(0);
        story.grant(0, "ben");
        story.ends(0, first, LeaseEnding.Lost.WORKER_GONE);

        story.fails(0, ErrorClass.INVALID_INPUT);

        story.assertStatus("compensating");
        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }
}
