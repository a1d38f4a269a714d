package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.approval.Approver;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.ChildReport;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Jobs that people take back to where they were before.
final class RewindTest {
    private static final Outcomes ON = Outcomes.on("success", "second");

    @Test
    void aQuarantinedJob_goesBack_withTheDataOfThatTime() {
        var story = Story.begun();
        story.step(0, Action.dispatch(Story.TASK, ON).with(word("early")));
        story.succeeds(0);
        story.step(0, Action.dispatch(Story.TASK, ON).with(word("late")));
        story.fails(1, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");

        story.accepted(rewind(story, "second"));

        assertThat(story.branch(0).state()).isEqualTo("second");
        assertThat(story.cause()).isEqualTo(new StepCause.Resolved("rewound", "client alice"));
        assertThat(story.job().data().values().sequencedKeySet()).containsExactly("early");
        assertThat(story.pending(Effect.AwaitOperator.class)).isEmpty();
    }

    /// What was done is not compensated by going back: the client that rewinds must know of it.
    @Test
    void theTasksThatWereDoneSince_areListed() {
        var story = Story.begun();
        story.step(0, Action.dispatch(Story.TASK, ON));
        story.succeeds(0);
        story.step(0, Action.dispatch(Story.TASK, Outcomes.on("success", "third")));
        story.succeeds(1);
        story.step(0, Action.awaitSignal("go", "last"));

        var events = story.accepted(rewind(story, "second"));

        assertThat(events.getFirst())
                .isEqualTo(
                        new JobEvent.JobRewound(
                                "third",
                                "second",
                                JobData.EMPTY,
                                List.of(1),
                                "client alice",
                                story.now()));
        assertThat(story.pending(Effect.AwaitSignal.class)).isEmpty();
    }

    @Test
    void whatIsWithAWorker_isTakenBack() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.grant(0, "anna");

        story.accepted(rewind(story, "start"));

        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
        assertThat(story.pending(Effect.Revoke.class)).hasSize(1);
        assertThat(story.pending(Effect.HoldLease.class)).isEmpty();
    }

    @Test
    void branches_areStopped() {
        var story = Story.of(Action.fork(List.of("a", "b"), "join"));
        story.step(1, Action.awaitApproval("?", Outcomes.on("yes", "x")).withTokenDigest("d"));

        story.accepted(rewind(story, "start"));

        assertThat(story.branch(1).doing()).isEqualTo(new Branch.Stopped());
        assertThat(story.branch(2).doing()).isEqualTo(new Branch.Stopped());
        assertThat(story.pending(Effect.RunStep.class)).hasSize(1);
        story.assertRefused(
                new JobCommand.DecideApproval(
                        new Approver.TokenHolder("d"),
                        "yes",
                        java.util.Optional.empty(),
                        story.now()),
                Reason.NOT_AWAITED,
                "job job-1: approval "
                        + story.job().approvals().past().getFirst().number()
                        + " is no longer wanted since "
                        + story.now());
    }

    @Test
    void aRunOfAHandlerThatIsLeftBehind_isDropped() {
        var story = Story.begun();
        var step = story.stepOf(0);

        story.accepted(rewind(story, "start"));

        story.assertRefused(
                new JobCommand.CompleteStep(step, Action.endBranch(), List.of(), story.now()),
                Reason.STALE_EFFECT,
                "job job-1: step " + step + " is no longer waited for; its result is dropped");
    }

    @Test
    void aFinalJob_isNotRewound() {
        var story = Story.of(Action.finish(JsonObject.EMPTY));

        story.assertRefused(
                rewind(story, "start"),
                Reason.FINAL,
                "job job-1 cannot be rewound: it is already finished since "
                        + story.now()
                        + ", and a job that is over stays so; submit it anew");
    }

    @Test
    void aJobThatIsBeingCancelled_isNotRewound() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.grant(0, "anna");
        story.cancel();

        story.assertRefused(
                rewind(story, "start"),
                Reason.NOT_AWAITED,
                "job job-1 cannot be rewound: it is being cancelled");
    }

    /// Trap: its child still runs, and the cancel does not wait for it.
    @Test
    void aCancelAfterIt_waitsForTheChildThatItStopped() {
        var run =
                Action.runBlueprint(
                        "stage", JsonObject.EMPTY, Outcomes.on(Outcomes.FINISHED, "after"));
        var story = Story.of(run);
        var child = story.job().children().children().get(0);
        story.accepted(new JobCommand.ConfirmChild(0, child.start(), story.now()));
        story.accepted(rewind(story, "start"));
        var stop = story.pending(Effect.StopChild.class).getFirst();
        story.accepted(new JobCommand.ConfirmStop(0, stop.id(), story.now()));

        story.cancel();

        assertThat(story.job().isFinal()).isFalse();
        var report = new ChildReport(Outcomes.CANCELLED, Payload.EMPTY, 1, Optional.of("no luck"));
        story.accepted(new JobCommand.EndChild(0, child.start(), report, story.now()));
        story.assertEnded("cancelled", "not needed");
    }

    private static JsonObject word(String word) {
        return JsonObject.of(word, JsonValue.of(1));
    }

    private static JobCommand.Rewind rewind(Story story, String state) {
        var stateVisit = StateVisit.last(CheckedJob.ID, story.events(), state).orElseThrow();
        assertThat(StateVisit.states(story.events())).contains(state);
        assertThat(stateVisit.data().get("none")).isEqualTo(Optional.<Payload>empty());
        return new JobCommand.Rewind(stateVisit, "client alice", story.now());
    }
}
