package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.Branch;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Decision.Reason;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskOutline;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Tasks that must not be done twice. A payment that is retried because its worker fell silent is paid twice; one that is
/// failed may have been paid.
final class DoubtTest {
    private static final TaskSpec PAY = TaskSpec.of("pay", JsonObject.EMPTY).notIdempotent();
    private static final Outcomes ON =
            Outcomes.on("success", "paid").and(Outcomes.FAILED, "unpaid");
    private static final Payload RECEIPT = Payload.of(JsonObject.of("receipt", JsonValue.of(7)));

    @Test
    void aLostAttempt_isNeitherRepeatedNorFailed() {
        var story = inDoubt();

        story.assertStatus("waiting_for_human");
        assertThat(story.pending(Effect.Offer.class)).isEmpty();
        assertThat(story.pending(Effect.AwaitResolution.class))
                .extracting(Effect.AwaitResolution::reason)
                .containsExactly("worker anna was lost with it: the worker is gone");
        assertThat(story.job().leased()).isZero();
    }

    @Test
    void anAttemptThatTakesTooLong_isInDoubt_andItsWorkerIsNotified() {
        var story = Story.of(Action.dispatch(PAY, ON));
        story.grant(0, "anna");

        story.fires(new TimerKind.TaskTimer(0));

        assertThat(story.task(0)).isInstanceOf(Task.Doubtful.class);
        assertThat(story.pending(Effect.Revoke.class)).hasSize(1);
    }

    @Test
    void anAttemptThatItsWorkerGivesUp_isInDoubt() {
        var story = Story.of(Action.dispatch(PAY, ON));

        story.reports(0, new TaskReport.Cancelled());

        assertThat(story.task(0)).isInstanceOf(Task.Doubtful.class);
    }

    @Test
    void aHandOutThatCameBack_isNotInDoubt() {
        var story = Story.of(Action.dispatch(PAY, ON));
        var lease = story.grant(0, "anna");

        story.ends(0, lease, LeaseEnd.Returned.NOT_RECEIVED);

        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
    }

    @Test
    void aFailureThatTheWorkerReports_isRetriedLikeAnyOther() {
        var story = Story.of(Action.dispatch(PAY, ON));

        story.fails(0, ErrorClass.TRANSIENT);

        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
    }

    @Test
    void theAuthorsReconcileState_comesBeforeAPerson() {
        var story = Story.of(Action.dispatch(PAY, ON.and(Outcomes.UNKNOWN, "look")));
        var lease = story.grant(0, "anna");

        story.ends(0, lease, LeaseEnd.Lost.EXPIRED);

        assertThat(story.branch(0).state()).isEqualTo("look");
        assertThat(story.cause()).isEqualTo(new StepCause.TaskEnded(0, "unknown"));
        assertThat(story.task(0))
                .isEqualTo(
                        new Task.Failed(
                                new TaskError(
                                        ErrorClass.LOST,
                                        "OUTCOME_UNKNOWN",
                                        "worker anna was lost with it: the lease was not renewed in"
                                                + " time")));
    }

    @Test
    void aPersonSaysThatItHappened_withItsResult() {
        var story = inDoubt();

        story.accepted(resolve(story, 0, new Resolution.Happened("success", RECEIPT)));

        assertThat(story.branch(0).state()).isEqualTo("paid");
        assertThat(story.job().data().get("receipt")).contains(Payload.of(JsonValue.of(7)));
    }

    @Test
    void aPersonSaysThatItDidNot_andItIsDoneAgain() {
        var story = inDoubt();

        story.accepted(resolve(story, 0, new Resolution.DidNotHappen()));

        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::attempt)
                .containsExactly(2);
        story.succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("paid");
    }

    @Test
    void aPersonSaysThatItFailed() {
        var story = inDoubt();

        story.accepted(resolve(story, 0, new Resolution.Failed("the bank refused")));

        assertThat(story.branch(0).state()).isEqualTo("unpaid");
        assertThat(((Task.Failed) story.task(0)).error().message())
                .isEqualTo("the bank refused (reported by client alice)");
    }

    /// Its connection was cut, and it is back: nobody needs to be asked.
    @Test
    void theWorkerItself_reportsAfterAll() {
        var story = Story.of(Action.dispatch(PAY, ON));
        var lease = story.grant(0, "anna");
        story.ends(0, lease, LeaseEnd.Lost.WORKER_GONE);
        var report = story.reportOf(0, lease, new TaskReport.Succeeded("success", RECEIPT));

        story.accepted(report);

        assertThat(story.branch(0).state()).isEqualTo("paid");
        assertThat(story.accepted(report)).isEmpty();
    }

    @Test
    void theWorkerThatTookTooLong_reportsAfterAll_andItsSlotIsFree() {
        var story = Story.of(Action.dispatch(PAY, ON));
        var lease = story.grant(0, "anna");
        story.fires(new TimerKind.TaskTimer(0));

        story.accepted(story.reportOf(0, lease, failed()));

        assertThat(story.job().lingering()).isZero();
        assertThat(story.pending(Effect.Offer.class)).hasSize(1);
    }

    @Test
    void anotherWorker_knowsNothing() {
        var story = inDoubt();
        var foreign =
                new Lease(
                        Story.grantOf(
                                        new Effect.Offer(
                                                new EffectId(1, 0),
                                                0,
                                                1,
                                                TaskOutline.of("b", PAY),
                                                0,
                                                "c",
                                                story.now(),
                                                story.now(),
                                                List.of()),
                                        "other",
                                        "berta",
                                        story.now())
                                .token(),
                        new dev.artel.kernel.attempt.WorkerId("berta"),
                        1,
                        story.now());

        story.assertRefused(
                story.reportOf(0, foreign, new TaskReport.Succeeded("success", RECEIPT)),
                Reason.STALE_LEASE,
                "job job-1, task 0: report of worker berta refused, lease other: it is over and the"
                        + " task waits for a person who knows its outcome; stop this attempt");
    }

    @Test
    void ofAFanOut_theOthersGoOn_andTheJoinWaits() {
        var story = Story.of(Action.dispatchParallel(List.of(PAY, PAY), "join"));
        var lease = story.grant(0, "anna");
        story.ends(0, lease, LeaseEnd.Lost.WORKER_GONE);
        story.succeeds(1);
        assertThat(story.branch(0).doing()).isInstanceOf(Branch.AwaitingTasks.class);

        story.accepted(resolve(story, 0, new Resolution.Happened("success", RECEIPT)));

        assertThat(story.branch(0).state()).isEqualTo("join");
    }

    @Test
    void aJobInDoubt_canBeCancelled() {
        var story = inDoubt();

        story.cancel();

        story.assertStatus("cancelled");
        assertThat(story.task(0)).isEqualTo(new Task.Cancelled());
        story.assertRefused(
                resolve(story, 0, new Resolution.DidNotHappen()),
                Reason.FINAL,
                "job job-1, task 0: it cannot be resolved: the job is already cancelled since "
                        + story.now());
    }

    @Test
    void whatIsNotInDoubt_isNotResolved() {
        var story = Story.of(Action.dispatch(PAY, ON));

        story.assertRefused(
                resolve(story, 0, new Resolution.DidNotHappen()),
                Reason.NOT_AWAITED,
                "job job-1, task 0: it cannot be resolved: its outcome is not in question");
        story.assertRefused(
                resolve(story, 7, new Resolution.DidNotHappen()),
                Reason.UNKNOWN_TASK,
                "job job-1 has no task 7; it has 1");
    }

    private static Story inDoubt() {
        var story = Story.of(Action.dispatch(PAY, ON));
        var lease = story.grant(0, "anna");
        story.ends(0, lease, LeaseEnd.Lost.WORKER_GONE);
        return story;
    }

    private static TaskReport failed() {
        return new TaskReport.Failed(new TaskError(ErrorClass.TRANSIENT, "E1", "no paper"));
    }

    private static JobCommand.ResolveTask resolve(Story story, int task, Resolution resolution) {
        return new JobCommand.ResolveTask(task, resolution, "client alice", story.now());
    }
}
