package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BranchTest {
    private static final Outcomes ON_SUCCESS = Outcomes.on("success", "done");
    private static final Action.Fork FORK = Action.fork(List.of("left", "right"), "join");

    @Test
    void branches_runSideBySide_andAreJoined() {
        var story = Story.of(FORK);

        assertThat(story.pending(Effect.RunStep.class))
                .extracting(Effect.RunStep::state)
                .containsExactly("left", "right");
        story.step(2, Action.endBranch());
        story.assertStatus("waiting_for_parallel_tasks");
        story.step(1, Action.endBranch());

        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.cause()).isEqualTo(new StepCause.BranchesJoined(1, 2));
    }

    @Test
    void theDataOfBranches_isMergedInTheOrderOfTheirEvents() {
        var story = Story.of(FORK);

        story.step(2, Action.endBranch().with(JsonObject.of("winner", JsonValue.of("right"))));
        story.step(1, Action.endBranch().with(JsonObject.of("winner", JsonValue.of("left"))));

        assertThat(story.job().data().get("winner")).contains(Payload.of(JsonValue.of("left")));
    }

    @Test
    void aFailedBranch_doesNotStopTheOthers_underAll() {
        var story = Story.of(FORK);

        story.step(1, Action.failBranch("no paper"));
        story.step(2, Action.endBranch());

        story.assertEnded("quarantined", "1 of 2 branches failed");
    }

    @Test
    void theLastFailure_isTheReason() {
        var story = Story.of(FORK);

        story.step(2, Action.endBranch());
        story.step(1, Action.failBranch("no paper"));

        story.assertEnded("quarantined", "no paper");
    }

    /// Trap: in a branch, too, nobody can recover the parameters of a task.
    @Test
    void invalidInputInABranch_failsTheJob() {
        var story = Story.of(FORK);
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));

        story.fails(0, ErrorClass.INVALID_INPUT).step(2, Action.endBranch());

        story.assertEnded("failed", "1 of 2 branches failed");
    }

    @Test
    void aStatusThatNobodyExpectsInABranch_failsTheJob() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));

        story.reports(0, new TaskReport.Succeeded("odd", Payload.EMPTY));

        story.assertEnded(
                "failed",
                "Worker returned unhandled status: odd (task 0, expected one of [success])");
    }

    @Test
    void aHopelessBranchOfABranch_failsTheJob() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, Action.dispatchParallel(List.of(Story.TASK), "joined"));

        story.fails(0, ErrorClass.INVALID_INPUT);

        story.assertStatus("failed");
    }

    @Test
    void aBranchWhoseTaskCanBeResolved_waitsForAPerson() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));

        story.fails(0, ErrorClass.PERMANENT);

        story.assertStatus("quarantined");
    }

    @Test
    void failFast_stopsTheOthersWithAllThatTheyWaitFor() {
        var story =
                Story.of(
                        Action.fork(List.of("a", "b", "c", "d"), "join")
                                .withPolicy(JoinPolicy.FAIL_FAST)
                                .otherwise("repair"));
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));
        story.grant(0, "anna");
        story.step(2, Action.waitFor(Duration.ofHours(1), "waited"));
        story.step(3, Action.dispatchParallel(List.of(Story.TASK, Story.TASK), "joined"));

        story.step(4, Action.failBranch("no paper"));

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(story.pending(Effect.class))
                .hasSize(2)
                .hasAtLeastOneElementOfType(Effect.RunStep.class)
                .hasAtLeastOneElementOfType(Effect.Revoke.class);
        for (var branch : List.of(1, 2, 3)) {
            assertThat(story.branch(branch).doing()).isEqualTo(new Branch.Stopped());
        }
    }

    @Test
    void theResultOfAStoppedBranch_isDropped() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.atLeast(1)));
        var late = story.stepOf(2);
        story.step(1, Action.endBranch());

        story.assertRefused(
                new JobCommand.CompleteStep(late, Action.endBranch(), List.of(), story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: step 4.1 is no longer waited for; its result is dropped");
    }

    @Test
    void aReportForAStoppedBranch_onlyFreesTheSlot() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.atLeast(1)));
        story.step(2, Action.dispatch(Story.TASK, ON_SUCCESS));
        var lease = story.grant(0, "anna");
        story.step(1, Action.endBranch());

        story.accepted(
                story.reportOf(0, lease, new TaskReport.Succeeded("success", Payload.EMPTY)));

        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
        assertThat(story.branch(2).doing()).isEqualTo(new Branch.Stopped());
        assertThat(story.job().lingering()).isZero();
    }

    @Test
    void nestedForks_areStoppedFromTheOutside() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.atLeast(1)));
        story.step(1, Action.fork(List.of("deep", "deeper"), "joined"));
        story.step(3, Action.fork(List.of("deepest"), "joined"));
        story.step(5, Action.dispatch(Story.TASK, ON_SUCCESS));

        story.step(2, Action.endBranch());

        assertThat(story.branch(0).state()).isEqualTo("join");
        for (var branch : List.of(1, 3, 4, 5)) {
            assertThat(story.branch(branch).doing()).isEqualTo(new Branch.Stopped());
        }
        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
    }

    @Test
    void theFailureOfANestedBranch_climbsUp() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, Action.fork(List.of("deep"), "joined"));

        story.step(3, Action.failBranch("no paper"));

        story.assertEnded("quarantined", "no paper");
        assertThat(story.branch(2).doing()).isEqualTo(new Branch.Stopped());
    }

    @Test
    void aBranchThatFinishesTheJob_endsAllOthers() {
        var story = Story.of(FORK);
        story.step(1, Action.dispatch(Story.TASK, ON_SUCCESS));

        story.step(2, Action.finish(JsonObject.EMPTY));

        story.assertStatus("finished");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aPolicyThatCanNeverBeMet_startsNoBranch() {
        var story = Story.of(FORK.withPolicy(JoinPolicy.atLeast(3)).otherwise("repair"));

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(story.job().branches().size()).isOne();
    }
}
