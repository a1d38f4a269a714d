package dev.artel.kernel.compensation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.CheckedJob;
import dev.artel.kernel.job.Decision;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.Job;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.job.JobOptions;
import dev.artel.kernel.job.JobState;
import dev.artel.kernel.job.Jobs;
import dev.artel.kernel.job.Outcomes;
import dev.artel.kernel.job.PersistentVectorNodes;
import dev.artel.kernel.job.RandomWorld;
import dev.artel.kernel.job.Story;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class CompensationTest {
    private static final int MANY = 10_000;

    /// Bytes; ten thousand calls within each other do not fit.
    private static final long SMALL_STACK = 256 * 1024;

    /// Nodes on the way to an element of so many.
    private static final int DEEPEST = 3;

    private static final Outcomes ON = Outcomes.on("success", "next");
    private static final Action RESERVE =
            Action.dispatch(Story.TASK, ON).compensatedBy(task("release"));
    private static final Action PAY = Action.dispatch(Story.TASK, ON).compensatedBy(task("refund"));

    private static TaskSpec task(String type) {
        return TaskSpec.of(type, JsonObject.EMPTY)
                .withRetry(RetryPolicy.DEFAULTS.withMaxAttempts(2));
    }

    /// Two things are done, both of which can be compensated.
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
        assertThat(story.job().compensationLog().compensated()).hasSize(2);
        assertThat(story.job().isClosed()).isTrue();
    }

    /// Trap: each of ten thousand branches copies what all others have declared and done, in every fold of the job.
    @Test
    void aChange_ofOneBranchOfMany_copiesAFewNodes() {
        var by = new Compensation.ByTask(task("release"));
        var compensationLog = CompensationLog.NONE;
        for (var branch = 0; branch < MANY; branch++) {
            var after =
                    compensationLog.declare(
                            new CompensationLog.Entry(branch, "reserve", by, branch, 0));
            assertSharesItsStructure(branch, compensationLog, after);
            compensationLog = after;
        }
        for (var branch = 0; branch < MANY; branch++) {
            var after = compensationLog.complete(branch);
            assertSharesItsStructure(branch, compensationLog, after);
            compensationLog = after;
        }
        assertThat(compensationLog.registered().size()).isEqualTo(MANY);
        for (var one = 0; one < MANY; one++) {
            var after = compensationLog.compensated(Optional.empty());
            assertSharesItsStructure(one, compensationLog, after);
            compensationLog = after;
        }

        assertThat(compensationLog.registered().isEmpty()).isTrue();
        assertThat(compensationLog.compensated().getLast().what().branch()).isZero();
    }

    private static void assertSharesItsStructure(
            int turn, CompensationLog before, CompensationLog after) {
        // To count them looks at all nodes, so that not every change is looked at.
        if (turn % 500 == 499) {
            assertThat(PersistentVectorNodes.copied(before.declared(), after.declared()))
                    .isLessThanOrEqualTo(2 * DEEPEST);
            assertThat(PersistentVectorNodes.copied(before.registered(), after.registered()))
                    .isLessThanOrEqualTo(DEEPEST);
            assertThat(PersistentVectorNodes.copied(before.compensated(), after.compensated()))
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
    void aCompensationHasRetriesOfItsOwn_andWhatFailsIsNamedInTheEnd() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        story.fails(2, ErrorClass.TRANSIENT);
        story.after(Duration.ofMinutes(1)).fails(2, ErrorClass.TRANSIENT);
        story.succeeds(3);

        story.assertStatus("failed");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith("no stock; and not everything could be compensated: state next: task 2")
                .contains("(refund) failed after 2 attempts");
    }

    @Test
    void aCancelledJobThatCouldNotBeCompensated_hasFailed_withBothReasons() {
        var story = Story.of(RESERVE).succeeds(0);

        story.cancel().fails(1, ErrorClass.PERMANENT);

        story.assertStatus("failed");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith(
                        "not needed; and not everything could be compensated: state start: task 1");
    }

    @Test
    void aState_undoesWithAllThatItKnows_andMayWaitForTasks() {
        var story = Story.of(Action.dispatch(Story.TASK, ON).compensatedBy("refund")).succeeds(0);
        story.step(0, Action.fail("no stock"));

        assertThat(story.branch(1).state()).isEqualTo("refund");
        story.step(1, Action.dispatch(Story.TASK, Outcomes.on("success", "refunded")));
        story.succeeds(1);
        assertThat(story.branch(1).state()).isEqualTo("refunded");
        story.step(1, Action.dispatch(Story.TASK, Outcomes.NONE));
        story.succeeds(2);

        story.assertEnded("failed", "no stock");
    }

    @Test
    void aStateThatCompensatesSeveralThings_isHandedWhichOfThemItIs() {
        var story =
                Story.of(Action.dispatch(Story.TASK, ON).compensatedBy("refund", "hotel"))
                        .succeeds(0);
        story.step(0, Action.fail("no stock"));

        assertThat(story.job().compensationLog().compensating(0)).isEmpty();
        assertThat(story.job().compensationLog().compensating(1))
                .contains(
                        new CompensationLog.Entry(
                                0,
                                "start",
                                new Compensation.ByState("refund", Optional.of("hotel")),
                                0,
                                0));
    }

    @Test
    void aStateThatCannotCompensation_saysWhy() {
        var story = Story.of(Action.dispatch(Story.TASK, ON).compensatedBy("refund")).succeeds(0);
        story.step(0, Action.fail("no stock"));

        story.step(1, Action.failBranch("the bank is closed"));

        story.assertEnded(
                "failed",
                "no stock; and not everything could be compensated: state start: the bank is closed");
    }

    /// Trap: the worker goes on with what is being compensated.
    @Test
    void compensationWaitsForWorkersToGiveUp_atMostForTheGrace() {
        var story =
                Story.of(
                        Action.fork(List.of("left", "right"), "join")
                                .withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, RESERVE);
        story.grant(0, "anna");

        story.step(2, Action.fail("no stock"));

        story.assertStatus("compensating");
        assertThat(story.job().tasks().size()).isEqualTo(1);
        story.fires(new TimerKind.CancelGrace());
        assertThat(typeOf(story, 1)).isEqualTo("release");
        story.succeeds(1);
        story.assertEnded("failed", "no stock");
    }

    /// Trap: a cancelled payment whose worker never answered was made after all.
    @Test
    void whatWasWithAWorkerWhenTheJobWasCancelled_isCompensated_sinceNobodyKnows() {
        var story = Story.of(PAY);
        story.grant(0, "anna");

        story.cancel().fires(new TimerKind.CancelGrace());

        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }

    @Test
    void whatNoWorkerHad_isNotCompensated() {
        var story = Story.of(PAY);

        story.cancel();

        story.assertEnded("cancelled", "not needed");
        assertThat(story.job().tasks().size()).isEqualTo(1);
    }

    @Test
    void compensationEndsWithItsLimit_andNamesWhatIsLeft() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        story.fires(new TimerKind.JobDeadline());

        story.assertEnded(
                "failed",
                "no stock; and not everything could be compensated: state next: was not compensated within"
                        + " PT1H; state start: was not compensated within PT1H");
    }

    @Test
    void aCancelWhileItIsCompensated_changesNothing() {
        var story = twice();
        story.step(0, Action.fail("no stock"));

        assertThat(story.accepted(new JobCommand.Cancel("again", story.now()))).isEmpty();
    }

    @Test
    void onlyTasksAndChildren_canBeCompensated() {
        assertThatThrownBy(() -> Action.transitionTo("next").compensatedBy("back"))
                .hasMessage("only tasks and children can be compensated, not TransitionTo");
    }

    private static JobCommand.Rewind back(Story story, int done) {
        return new JobCommand.Rewind(
                new StateVisit("next", JobData.EMPTY, done, done), "client alice", story.now());
    }

    @Test
    void aJobThatIsTakenBack_undoesWhatItDidSince_andGoesOnFromThere() {
        var story = twice();
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));

        story.accepted(back(story, 1));

        story.assertStatus("compensating");
        assertThat(typeOf(story, 2)).isEqualTo("refund");
        story.succeeds(2);
        assertThat(story.branch(0).state()).isEqualTo("next");
        assertThat(story.cause()).isEqualTo(new StepCause.Resolved("rewound", "client alice"));
        assertThat(story.job().compensationLog().registered()).hasSize(1);
        story.step(0, PAY).succeeds(3);
        story.step(0, Action.fail("no stock"));
        story.succeeds(4).succeeds(5);
        story.assertEnded("failed", "no stock");
    }

    @Test
    void aJobThatWasTakenBack_andNotWhollyCompensated_waitsForAPerson() {
        var story = Story.of(Action.transitionTo("next"));
        story.step(0, PAY).succeeds(0);
        story.step(0, Action.waitFor(Duration.ofDays(1), "next"));
        var first = story.events().subList(0, 3);

        story.accepted(
                new JobCommand.Rewind(
                        StateVisit.last(CheckedJob.ID, first, "start").orElseThrow(),
                        "client alice",
                        story.now()));
        story.fails(1, ErrorClass.PERMANENT);

        story.assertStatus("quarantined");
        assertThat(story.job().errorMessage().orElseThrow())
                .startsWith(
                        "it was taken back to state start by client alice, and not everything could"
                                + " be compensated: state next: task 1 (refund) failed with a permanent"
                                + " error")
                .endsWith("compensate it by hand, then release the job");
        assertThat(story.branch(0).state()).isEqualTo("start");
    }

    @Test
    void aCancelWhileAJobIsTakenBack_isACancel_andCompensatesAll() {
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

    /// Trap: the job has forever the hour in which it had to go back.
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
    void aChildThatFinishesBeforeItKnowsThatItIsNotWanted_isCompensated() {
        var run =
                Action.runBlueprint("pay", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "paid"))
                        .compensatedBy(task("refund"));
        var story = Story.of(Action.fork(List.of("left", "right"), "join"));
        story.step(1, run);
        var child = story.job().children().children().get(0);
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

    /// Trap: what a worker has is compensated in the middle of the grace of the cancel.
    @Test
    void aCancelWhileAJobThatIsTakenBackWaitsForAWorker_hasAGraceOfItsOwn() {
        var story = twice();
        story.step(0, PAY);
        story.grant(2, "anna");
        story.accepted(back(story, 1));
        story.assertStatus("compensating");

        story.cancel();

        assertThat(story.pending(Effect.ScheduleTimer.class))
                .extracting(Effect.ScheduleTimer::timerKind)
                .containsExactly(new TimerKind.CancelGrace());
        story.fires(new TimerKind.CancelGrace());
        assertThat(typeOf(story, 3)).isEqualTo("refund");
        story.succeeds(3).succeeds(4).succeeds(5);
        story.assertEnded("cancelled", "not needed");
    }

    /// Trap: the worker that was lost has paid, the author's state that is to find out fails, and the payment stays.
    @Test
    void whatIsInDoubtWhenItsReconcilingStateIsEntered_isCompensated_sinceNobodyKnows() {
        var story =
                Story.of(
                        Action.dispatch(
                                        Story.TASK.notIdempotent(),
                                        ON.and(Outcomes.UNKNOWN, "look"))
                                .compensatedBy(task("refund")));
        var lease = story.grant(0, "anna");
        story.ends(0, lease, LeaseEnd.Lost.EXPIRED);
        assertThat(story.branch(0).state()).isEqualTo("look");

        story.step(0, Action.fail("the bank does not answer"));

        story.assertStatus("compensating");
        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }

    /// Trap: of two workers at a payment the first is lost and has paid, the second one fails.
    @Test
    void whatOneOfTwoWorkersMayHaveDone_isCompensated_thoughTheOtherOneFails() {
        var story =
                Story.of(
                        Action.dispatch(Story.TASK.hedgedAfter(Duration.ofSeconds(30)), ON)
                                .compensatedBy(task("refund")));
        var first = story.grant(0, "anna");
        story.hedges(0);
        story.grant(0, "ben");
        story.ends(0, first, LeaseEnd.Lost.WORKER_GONE);

        story.fails(0, ErrorClass.INVALID_INPUT);

        story.assertStatus("compensating");
        assertThat(typeOf(story, 1)).isEqualTo("refund");
    }

    /// Trap: each compensation that cannot begin begins the next one in a call within its own call.
    @Test
    void tenThousandCompensationsThatCannotBegin_endOneAfterTheOther_onASmallStack()
            throws InterruptedException {
        var job = doneInManyBranches(task("release").demanding(it -> it.sameWorkerAs(10 * MANY)));
        var decided = new AtomicReference<Decision>();

        var smallStack =
                new Thread(
                        null,
                        () ->
                                decided.set(
                                        Jobs.decide(
                                                job,
                                                new JobCommand.Cancel(
                                                        "not needed", RandomWorld.BEGIN))),
                        "small stack",
                        SMALL_STACK);
        smallStack.start();
        smallStack.join(Duration.ofMinutes(1));

        assertThat(decided.get()).isInstanceOf(Decision.Accepted.class);
        var ended = (Job) ((Decision.Accepted) decided.get()).after();
        assertThat(ended.status()).isEqualTo("failed");
        assertThat(ended.compensationLog().compensated())
                .hasSize(MANY)
                .allSatisfy(one ->
                        assertThat(one.failure().orElseThrow())
                                .contains("ran, and that has no worker"));
        assertThat(ended.compensationLog().compensated().getLast().what().branch()).isEqualTo(1);
        assertThat(ended.errorMessage().orElseThrow())
                .endsWith("; and 9,980 more, which the history of the job lists")
                .hasSizeLessThan(5_000);
    }

    /// A job with [#MANY] branches, each of which has had its task done and can be compensated by `by`.
    private static JobState doneInManyBranches(TaskSpec by) {
        var at = RandomWorld.BEGIN;
        var events = new ArrayList<JobEvent>();
        events.add(new JobEvent.JobSubmitted(Story.spec(JobOptions.DEFAULTS), at));
        events.add(
                new JobEvent.Forked(
                        0,
                        Collections.nCopies(MANY, "reserve"),
                        JoinPolicy.ALL,
                        "join",
                        Optional.empty(),
                        at));
        for (var task = 0; task < MANY; task++) {
            var branch = task + 1;
            var worker = new WorkerId("anna");
            var lease =
                    new Lease(
                            new LeaseToken("lease-" + task),
                            worker,
                            1,
                            at.plus(Duration.ofMinutes(1)));
            events.add(
                    new JobEvent.CompensationRegistered(branch, new Compensation.ByTask(by), at));
            events.add(new JobEvent.TaskOpened(branch, Story.TASK, ON, at));
            events.add(
                    new JobEvent.LeaseGranted(
                            task,
                            lease,
                            new Placement(
                                    worker, "it was free", List.of(), new LinkedHashMap<>(), 1),
                            at));
            events.add(
                    new JobEvent.TaskSucceeded(task, lease.token(), "success", Payload.EMPTY, at));
        }
        return Jobs.evolve(new JobState.Unsubmitted(CheckedJob.ID), events).after();
    }
}
