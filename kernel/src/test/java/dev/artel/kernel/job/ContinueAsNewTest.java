package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.guard.Guards;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskLimits;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A job goes on in a new run, with the data that it gives.
final class ContinueAsNewTest {
    private static final TaskSpec WORK = TaskSpec.of("work", JsonObject.EMPTY);
    private static final Outcomes ON = Outcomes.on("success", "next").and(Outcomes.TIMEOUT, "late");

    private static Action again(long round) {
        return Action.continueAsNew("again", round(round));
    }

    private static JsonObject round(long number) {
        return JsonObject.of("round", JsonValue.of(number));
    }

    private static void confirm(Story story) {
        var start = story.pending(Effect.StartChild.class).getFirst();
        story.accepted(
                new JobCommand.ConfirmChild(start.parentLink().child(), start.id(), story.now()));
    }

    /// Trap: a loop of tasks, waits and children comes to an end at its guards, or grows without end.
    @Test
    void aLoopOfThousandsOfRounds_staysSmall_andWithinItsGuards() {
        var story = Story.begun(Guards.DEFAULTS.withTransitions(20).withHistory(100));
        var on = Outcomes.on(Outcomes.FINISHED, "waited");

        for (var number = 0; number < 5_000; number++) {
            story.step(0, Action.dispatch(WORK, ON)).succeeds(0);
            story.step(0, Action.runBlueprint("stage", JsonObject.EMPTY, on));
            confirm(story);
            var child = story.job().children().children().get(0);
            var report =
                    new ChildReport(
                            Outcomes.FINISHED, Payload.of(JsonObject.EMPTY), 1, Optional.empty());
            story.accepted(new JobCommand.EndChild(0, child.start(), report, story.now()));
            story.step(0, Action.startBlueprint("other", JsonObject.EMPTY, "started"));
            confirm(story);
            story.step(0, Action.waitFor(Duration.ofDays(1), "awake"));
            story.fires(new TimerKind.BranchTimer(0));
            story.step(0, again(number));
        }

        var job = story.job();
        assertThat(job.isFinal()).isFalse();
        assertThat(job.phase()).isInstanceOf(Job.Active.class);
        assertThat(job.guardBaseline().run()).isEqualTo(5_000);
        assertThat(job.data()).isEqualTo(JobData.of(round(4_999)));
        assertThat(job.tasks().size()).isZero();
        assertThat(job.branches().size()).isOne();
        assertThat(job.children().children().size()).isZero();
        assertThat(job.branches().get(0).state()).isEqualTo("again");
    }

    @Test
    void whatTheJobIs_stays() {
        var story = Story.of(Action.transitionTo("next"));
        story.accepted(new JobCommand.Signal("go", "s-1", Payload.EMPTY, "shop", story.now()));
        var before = story.job();

        story.step(0, again(1));

        assertThat(story.job().spec()).isEqualTo(before.spec());
        assertThat(story.job().id()).isEqualTo(before.id());
        assertThat(story.job().signals().waiting()).hasSize(1);
        assertThat(story.job().signals().known()).containsKey("s-1");
    }

    /// Trap: a worker that was given up still has its task, and its slot is free or taken forever.
    @Test
    void whatLingers_keepsItsPlace_untilTheNextRun() {
        var once =
                new TaskLimits(
                        RetryPolicy.DEFAULTS.withMaxAttempts(1),
                        1,
                        Optional.empty(),
                        Duration.ofSeconds(30));
        var story = Story.of(Action.dispatch(WORK.withLimits(once), ON));
        var lease = story.grant(0, "w1");
        story.fires(new TimerKind.TaskTimer(0));

        story.step(0, again(1));

        assertThat(story.pending(Effect.Revoke.class)).hasSize(1);
        assertThat(story.job().tasks().size()).isOne();
        story.accepted(
                new JobCommand.EndLease(0, lease.token(), LeaseEnd.Lost.WORKER_GONE, story.now()));
        assertThat(story.job().lingering()).isZero();
        story.step(0, again(2));
        assertThat(story.job().tasks().size()).isZero();
    }

    @Test
    void aBranch_cannot_andSaysWhatToDo() {
        var story = Story.of(Action.fork(List.of("a"), "join"));

        story.step(1, again(1));

        assertThat(story.job().errorMessage().orElseThrow())
                .contains("state a wants the job to continue as new, and is in a branch");
    }

    /// Trap: a job continues as new without ever waiting, and fills the disk.
    @Test
    void aLoopThatNeverWaits_isStopped() {
        var story = Story.begun();

        for (var round = 0; round < 10 * Branch.MOST_MOVES && !story.job().isFinal(); round++) {
            story.step(0, again(round));
        }

        assertThat(story.job().errorMessage().orElseThrow())
                .contains("without waiting for anything");
    }

    /// Trap: a person goes back to a state of an earlier run, whose tasks are not there any more.
    @Test
    void goingBackToAnEarlierRun_isRefused() {
        var story = Story.of(Action.transitionTo("next"));
        var stateVisit = new StateVisit("start", JobData.EMPTY, 0, 0);
        story.step(0, again(1));

        story.assertRefused(
                new JobCommand.Rewind(stateVisit, "client alice", story.now()),
                Decision.Reason.NOT_AWAITED,
                "job job-1 cannot be rewound: it has continued as new since it was in state 'start'; look at it again");
        assertThat(StateVisit.last(story.job().id(), story.events(), "start")).isEmpty();
        assertThat(StateVisit.last(story.job().id(), story.events(), "again")).isPresent();
        assertThat(StateVisit.states(story.events())).containsExactly("again");
    }
}
