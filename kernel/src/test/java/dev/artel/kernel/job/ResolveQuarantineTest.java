package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.JoinPolicy;
import dev.artel.kernel.branch.StateVisit;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.child.ChildMode;
import dev.artel.kernel.child.ParentLink;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.JobData;
import dev.artel.kernel.task.Payload;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What people do about quarantined jobs.
final class ResolveQuarantineTest {
    private static final Outcomes ON = Outcomes.on("success", "done").and("empty", "refill");
    private static final JobObjects RESULT = new JobObjects("pages", 7);

    private record JobObjects(String name, int number) {
        Payload payload() {
            return Payload.of(JsonObject.of(name, JsonValue.of(number)));
        }

        JobData data() {
            return JobData.of(JsonObject.of(name, JsonValue.of(number)));
        }
    }

    @Test
    void aReleasedTask_isOfferedAgain_withAllItsTries() {
        var story = withFailedTask();

        var events = story.accepted(resolve(story, new QuarantineAction.Release()));

        assertThat(events)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("QuarantineResolved", "TaskOpened");
        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::task, Effect.Offer::attempt)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(1, 1));
        assertThat(story.pending(Effect.AwaitOperator.class)).isEmpty();
        story.succeeds(1);
        assertThat(story.branch(0).state()).isEqualTo("done");
    }

    @Test
    void aReleasedHandler_runsAgain_withAllItsTries() {
        var story = Story.begun().stepFails(0, false);

        story.accepted(resolve(story, new QuarantineAction.Release()));

        assertThat(story.cause()).isEqualTo(new StepCause.Resolved("released", "client alice"));
        assertThat(story.pending(Effect.RunStep.class))
                .extracting(Effect.RunStep::attempt)
                .containsExactly(1);
    }

    @Test
    void aRetry_runsTheHandlerAgain_withOtherData() {
        var story = withFailedTask();

        story.accepted(resolve(story, new QuarantineAction.Retry(RESULT.data())));

        assertThat(story.branch(0).state()).isEqualTo("start");
        assertThat(story.cause()).isEqualTo(new StepCause.Resolved("retried", "client alice"));
        assertThat(story.job().data().get("pages")).isPresent();
    }

    /// Trap: an operator gives a job of another client other data in quarantine, and lets it through behind an approval that excludes the submitter.
    @Test
    void whoChangesTheData_hasAPartInTheSubmission() {
        for (var how :
                List.of(
                        new QuarantineAction.Retry(RESULT.data()),
                        new QuarantineAction.Skip("success", RESULT.payload()))) {
            var story = withFailedTask();

            story.accepted(resolve(story, how));

            assertThat(story.job().spec().isSubmitter("alice")).isTrue();
            assertThat(story.job().spec().isSubmitter("bob")).isFalse();
        }
        var released = withFailedTask();
        released.accepted(resolve(released, new QuarantineAction.Release()));
        assertThat(released.job().spec().isSubmitter("alice")).isFalse();
    }

    @Test
    void aTaskThatIsSkipped_countsAsDone_withAResult() {
        var story = withFailedTask();

        story.accepted(resolve(story, new QuarantineAction.Skip("success", RESULT.payload())));

        assertThat(story.branch(0).state()).isEqualTo("done");
        assertThat(story.job().data().get("pages")).contains(Payload.of(JsonValue.of(7)));
        assertThat(story.task(0)).isInstanceOf(Task.Failed.class);
    }

    @Test
    void aFanOutThatIsSkipped_isJoinedAsItIs() {
        var story = Story.of(Action.dispatchParallel(List.of(Story.TASK, Story.TASK), "join"));
        story.succeeds(0).fails(1, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");

        story.accepted(resolve(story, new QuarantineAction.Skip("success", Payload.EMPTY)));

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void theHandlerThatJoinsASkippedFanOut_getsWhatThereIs() {
        var story = Story.of(Action.dispatchParallel(List.of(Story.TASK, Story.TASK), "join"));
        story.succeeds(0).fails(1, ErrorClass.PERMANENT);

        story.accepted(resolve(story, new QuarantineAction.Skip("success", Payload.EMPTY)));

        assertThat(story.cause()).isEqualTo(new StepCause.TasksJoined(0, 2));
    }

    @Test
    void aFanOutThatIsReleased_keepsWhatSucceeded_alsoBehindItsWindow() {
        var story =
                Story.of(
                        Action.dispatchParallel(
                                        List.of(Story.TASK, Story.TASK, Story.TASK, Story.TASK),
                                        "join")
                                .withPolicy(JoinPolicy.FAIL_FAST)
                                .withWindow(2));
        story.succeeds(1).succeeds(2).fails(0, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");

        story.accepted(resolve(story, new QuarantineAction.Release()));

        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::task)
                .containsExactly(4, 7);
        assertThat(story.task(5)).isInstanceOf(Task.Succeeded.class);
        assertThat(story.task(6)).isInstanceOf(Task.Succeeded.class);
        story.succeeds(4).succeeds(7);
        assertThat(story.branch(0).state()).isEqualTo("join");
        assertThat(story.cause()).isEqualTo(new StepCause.TasksJoined(4, 4));
    }

    @Test
    void branchesThatAreReleased_goOnWhereTheyEnded_andThoseThatSucceeded_stay() {
        var story =
                Story.of(
                        Action.fork(List.of("left", "right", "middle"), "join")
                                .withPolicy(JoinPolicy.FAIL_FAST));
        story.step(1, Action.endBranch());
        story.step(2, Action.transitionTo("further"));
        story.stepFails(2, false);
        story.assertStatus("quarantined");

        story.accepted(resolve(story, new QuarantineAction.Release()));

        assertThat(story.job().branches()).hasSize(6);
        assertThat(story.branch(4).state()).isEqualTo("further");
        assertThat(story.branch(5).state()).isEqualTo("middle");
        story.step(4, Action.endBranch()).step(5, Action.endBranch());
        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void ofEnoughBranches_thoseThatSucceeded_countWhenTheRestIsReleased() {
        var story =
                Story.of(
                        Action.fork(List.of("left", "right", "middle"), "join")
                                .withPolicy(JoinPolicy.atLeast(2)));
        story.step(1, Action.endBranch());
        story.stepFails(2, false).stepFails(3, false);
        story.assertStatus("quarantined");

        story.accepted(resolve(story, new QuarantineAction.Release()));
        story.step(4, Action.endBranch());

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void aHandler_cannotBeSkipped() {
        var story = Story.begun().stepFails(0, false);

        story.assertRefused(
                resolve(story, new QuarantineAction.Skip("success", Payload.EMPTY)),
                Reason.NOT_AWAITED,
                "job job-1 cannot be skipped: it was the handler of state start that failed, and"
                        + " what follows it is not defined; retry it");
    }

    @Test
    void aWordThatNothingFollows_isRefused() {
        var story = withFailedTask();

        story.assertRefused(
                resolve(story, new QuarantineAction.Skip("perfect", Payload.EMPTY)),
                Reason.NOT_AWAITED,
                "job job-1 cannot be skipped: no state follows 'perfect' of task 0; take one of"
                        + " [success, empty]");
    }

    @Test
    void aDiscardedJob_hasFailed_andSaysWhoAndWhy() {
        var story = withFailedTask();

        story.accepted(resolve(story, new QuarantineAction.Discard("a test")));

        story.assertEnded(
                "failed",
                "discarded by client alice (a test); it was quarantined: task 0 (work) failed with"
                        + " a permanent error: no paper [E1]");
        assertThat(story.job().isClosed()).isTrue();
    }

    @Test
    void aJobThatIsNotQuarantined_isNotResolved() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));

        story.assertRefused(
                resolve(story, new QuarantineAction.Release()),
                Reason.NOT_AWAITED,
                "job job-1 cannot be released: it is not quarantined but waiting_for_worker");
        story.cancel();
        story.assertRefused(
                resolve(story, new QuarantineAction.Discard("late")),
                Reason.FINAL,
                "job job-1 cannot be discarded: it is already cancelled since " + story.now());
    }

    /// A signal that came while somebody thought about it must not be lost.
    @Test
    void aSignalThatCameInQuarantine_isThereAfterwards() {
        var story = withFailedTask();
        story.accepted(new JobCommand.Signal("go", "s1", Payload.EMPTY, "client", story.now()));

        story.accepted(resolve(story, new QuarantineAction.Retry(JobData.EMPTY)));
        story.step(0, Action.awaitSignal("go", "went"));

        assertThat(story.branch(0).state()).isEqualTo("went");
    }

    /// Its parent has taken back the steps that were left: what it did now would be beyond what its tree may do.
    @Test
    void aChildThatItsParentHasGivenUp_isOnlyDiscarded() {
        var parentLink =
                new ParentLink(
                        new JobId("parent"),
                        new EffectId(3, 0),
                        0,
                        new JobId("parent"),
                        List.of("tour"),
                        40,
                        3,
                        ChildMode.AWAITED_UNLESS_QUARANTINED);
        var story = new Story();
        story.accepted(
                new JobCommand.Submit(
                        Story.spec(JobOptions.DEFAULTS).bornOf(parentLink), story.now()));
        story.stepFails(0, false);
        var why =
                "its parent took its quarantine for its end and has gone on, with the steps that"
                        + " were left; fork it, or discard it";

        story.assertRefused(
                resolve(story, new QuarantineAction.Release()),
                Reason.NOT_AWAITED,
                "job job-1 cannot be released: " + why);
        story.assertRefused(
                new JobCommand.Rewind(
                        new StateVisit("start", JobData.EMPTY, 0, 0), "client alice", story.now()),
                Reason.NOT_AWAITED,
                "job job-1 cannot be rewound: " + why);
        story.accepted(resolve(story, new QuarantineAction.Discard("a test")));

        story.assertStatus("failed");
    }

    @Test
    void aJobCanBeQuarantinedAgain() {
        var story = withFailedTask();

        story.accepted(resolve(story, new QuarantineAction.Release()));
        story.fails(1, ErrorClass.PERMANENT);

        story.assertStatus("quarantined");
        assertThat(story.pending(Effect.AwaitOperator.class)).hasSize(1);
        assertThat(story.job().errorMessage().orElseThrow()).startsWith("task 1 (work) failed");
        assertThat(Optional.of(story.job().tasks().size())).contains(2);
    }

    private static Story withFailedTask() {
        var story = Story.of(Action.dispatch(Story.TASK, ON));
        story.fails(0, ErrorClass.PERMANENT);
        story.assertStatus("quarantined");
        return story;
    }

    private static JobCommand.ResolveQuarantine resolve(Story story, QuarantineAction how) {
        return new JobCommand.ResolveQuarantine(how, "client alice", story.now());
    }
}
