package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FanOutTest {
    @Test
    void theWindow_isHowManyTasksAreOffered() {
        var story = Story.of(tasks(5).withWindow(2));

        assertThat(offered(story)).containsExactly(0, 1);
        story.succeeds(1);
        assertThat(offered(story)).containsExactly(0, 2);
        story.fails(0, ErrorClass.PERMANENT);
        assertThat(offered(story)).containsExactly(2, 3);
    }

    @Test
    void all_waitsForTheRest_alsoAfterAFailure() {
        var story = Story.of(tasks(3));

        story.fails(1, ErrorClass.PERMANENT).succeeds(0);
        story.assertStatus("waiting_for_parallel_tasks");
        story.succeeds(2);

        story.assertEnded(
                "quarantined", "1 of 3 tasks failed, the first is task 1 (work): no paper [E1]");
    }

    @Test
    void all_joins() {
        var story = Story.of(tasks(2));

        story.succeeds(1).succeeds(0);

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.cause()).isEqualTo(new StepCause.TasksJoined(0, 2));
    }

    @Test
    void failFast_withdrawsTheRest_andLeadsToTheOtherState() {
        var story =
                Story.of(
                        tasks(4).withWindow(3)
                                .withPolicy(JoinPolicy.FAIL_FAST)
                                .otherwise("repair"));
        story.grant(0, "anna");

        story.fails(1, ErrorClass.PERMANENT);

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(offered(story)).isEmpty();
        assertThat(story.pending(Effect.Revoke.class)).hasSize(1);
        for (var task : List.of(0, 2, 3)) {
            assertThat(story.task(task)).isEqualTo(new Task.Cancelled());
        }
    }

    @Test
    void failFast_quarantinesTheJob_thatHasNoAnswer() {
        var story = Story.of(tasks(2).withPolicy(JoinPolicy.FAIL_FAST));

        story.fails(1, ErrorClass.PERMANENT);

        story.assertEnded(
                "quarantined", "task 1 (work) failed with a permanent error: no paper [E1]");
    }

    /// Trap: nobody can recover the parameters of a task, so a person has nothing to wait for.
    @Test
    void invalidInput_failsTheJob_insteadOfWaitingForAPerson() {
        var story = Story.of(tasks(2));

        story.fails(0, ErrorClass.INVALID_INPUT).succeeds(1);

        story.assertEnded(
                "failed", "1 of 2 tasks failed, the first is task 0 (work): no paper [E1]");
    }

    @Test
    void invalidInput_failsTheJobAtOnce_underFailFast() {
        var story = Story.of(tasks(3).withPolicy(JoinPolicy.FAIL_FAST));

        story.fails(2, ErrorClass.INVALID_INPUT);

        story.assertEnded("failed", "task 2 (work) failed due to invalid input: no paper [E1]");
    }

    @Test
    void invalidInput_isAnswered_whereTheFanOutHasAnAnswer() {
        var story = Story.of(tasks(1).otherwise("repair"));

        story.fails(0, ErrorClass.INVALID_INPUT);

        assertThat(story.branch(0).state()).isEqualTo("repair");
    }

    @Test
    void aFailureThatCanBeResolved_waitsForAPerson_whereEnoughOfTheRestIsGood() {
        var story = Story.of(tasks(3).withPolicy(JoinPolicy.atLeast(2)));

        story.fails(0, ErrorClass.INVALID_INPUT).fails(1, ErrorClass.PERMANENT);

        story.assertStatus("quarantined");
    }

    @Test
    void atLeast_joinsWithEnough_andWithdrawsTheRest() {
        var story = Story.of(tasks(4).withPolicy(JoinPolicy.atLeast(2)));

        story.fails(0, ErrorClass.PERMANENT).succeeds(3).succeeds(1);

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.task(2)).isEqualTo(new Task.Cancelled());
    }

    @Test
    void atLeast_givesUpWhenThereCannotBeEnough() {
        var story = Story.of(tasks(3).withPolicy(JoinPolicy.atLeast(2)).otherwise("repair"));

        story.fails(0, ErrorClass.PERMANENT).fails(2, ErrorClass.PERMANENT);

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(story.task(1)).isEqualTo(new Task.Cancelled());
    }

    @Test
    void atLeast_ofTooFewTasks_startsNone() {
        var story = Story.of(tasks(2).withPolicy(JoinPolicy.atLeast(3)));

        story.assertEnded(
                "quarantined",
                "AtLeast[required=3] can never be met by 2; start more or require fewer");
        assertThat(story.job().tasks().size()).isZero();
    }

    @Test
    void atLeast_ofNoTasks_doesNotJoin() {
        var story = Story.of(tasks(0).withPolicy(JoinPolicy.atLeast(1)).otherwise("repair"));

        assertThat(story.branch(0).state()).isEqualTo("repair");
    }

    @Test
    void settled_joinsWhateverCame() {
        var story = Story.of(tasks(2).withPolicy(JoinPolicy.SETTLED));

        story.fails(0, ErrorClass.PERMANENT).fails(1, ErrorClass.INVALID_INPUT);

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void noTasks_areJoinedAtOnce() {
        var story = Story.of(tasks(0));

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.cause()).isEqualTo(new StepCause.TasksJoined(0, 0));
    }

    @Test
    void theTaskThatDecides_opensNoOther() {
        var story = Story.of(tasks(5).withWindow(1).withPolicy(JoinPolicy.atLeast(1)));

        var lease = story.grant(0, "anna");

        var decision =
                story.give(
                        story.reportOf(
                                0, lease, new TaskReport.Succeeded("success", Payload.EMPTY)));

        assertThat(((Decision.Accepted) decision).asked())
                .hasOnlyElementsOfType(Effect.RunStep.class);
        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void aReportOfAWithdrawnTask_onlyFreesItsSlot() {
        var story = Story.of(tasks(2).withPolicy(JoinPolicy.atLeast(1)));
        var slow = story.grant(0, "anna");
        story.succeeds(1);

        story.accepted(story.reportOf(0, slow, new TaskReport.Succeeded("success", Payload.EMPTY)));

        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
        assertThat(story.job().lingering()).isZero();
    }

    @Test
    void aFanOutOfTenThousand_costsTheSameForEachTask() {
        var count = 10_000;
        JobState state = new JobState.Unsubmitted(CheckedJob.ID);
        state = accept(state, submit()).after();
        var start =
                accept(
                        state,
                        new JobCommand.CompleteStep(
                                firstStep(state), tasks(count), List.of(), RandomWorld.BEGIN));
        var offers = start.asked();
        state = start.after();
        assertThat(offers).hasSize(Action.DispatchParallel.DEFAULT_WINDOW);
        var next = offers;
        var done = 0;
        while (!next.isEmpty()) {
            var more = new ArrayList<Effect>();
            for (var offer : next) {
                var granted = accept(state, grant((Effect.Offer) offer));
                var reported = accept(granted.after(), success(granted));
                assertThat(granted.asked().size() + reported.asked().size()).isLessThan(4);
                if (done % 100 == 0) {
                    assertSharesItsStructure((Job) state, (Job) reported.after());
                }
                reported.asked().stream().filter(Effect.Offer.class::isInstance).forEach(more::add);
                state = reported.after();
                done++;
            }
            next = more;
        }

        assertThat(done).isEqualTo(count);
        assertThat(((Job) state).branches().get(0).state()).isEqualTo("join");
    }

    /// At most two tasks have changed: the reported one, and the one that follows in the window.
    private static void assertSharesItsStructure(Job before, Job after) {
        assertThat(PersistentVectorNodes.copied(before.tasks(), after.tasks()))
                .isLessThanOrEqualTo(PersistentVectorNodes.depth(after.tasks()) * 2);
    }

    private static JobCommand submit() {
        return new JobCommand.Submit(Story.spec(JobOptions.DEFAULTS), RandomWorld.BEGIN);
    }

    private static JobCommand grant(Effect.Offer offer) {
        return Story.grantOf(offer, "lease-" + offer.task(), "anna", RandomWorld.BEGIN);
    }

    private static JobCommand success(Decision.Accepted granted) {
        var held =
                granted.asked().stream()
                        .filter(Effect.HoldLease.class::isInstance)
                        .map(Effect.HoldLease.class::cast)
                        .findFirst()
                        .orElseThrow();
        return new JobCommand.Report(
                held.task(),
                held.lease().token(),
                held.lease().worker(),
                new TaskReport.Succeeded("success", Payload.EMPTY),
                0.5,
                RandomWorld.BEGIN);
    }

    private static EffectId firstStep(JobState state) {
        return Jobs.pending(state).getFirst().id();
    }

    private static Decision.Accepted accept(JobState state, JobCommand command) {
        return (Decision.Accepted) Jobs.decide(state, command);
    }

    private static List<Integer> offered(Story story) {
        return story.pending(Effect.Offer.class).stream().map(Effect.Offer::task).sorted().toList();
    }

    private static Action.DispatchParallel tasks(int count) {
        return Action.dispatchParallel(Collections.nCopies(count, Story.TASK), "join");
    }
}
