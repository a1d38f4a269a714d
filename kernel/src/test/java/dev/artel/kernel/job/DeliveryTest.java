package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.LeaseEnd.Lost;
import dev.artel.kernel.attempt.LeaseEnd.Returned;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class DeliveryTest {
    private static final Outcomes ON_SUCCESS = Outcomes.on("success", "done");
    private static final TaskReport SUCCESS = new TaskReport.Succeeded("success", Payload.EMPTY);

    @Test
    void aTransientFailure_isRetriedAfterADelay_byTheNextAttempt() {
        var story = waiting(ON_SUCCESS);

        story.fails(0, ErrorClass.TRANSIENT);

        var offer = story.pending(Effect.Offer.class).getFirst();
        assertThat(offer.attempt()).isEqualTo(2);
        assertThat(offer.notBefore()).isEqualTo(story.now().plusSeconds(1));
        assertThat(offer.opened()).isEqualTo(RandomWorld.BEGIN);
    }

    @Test
    void spentRetries_quarantineTheJob() {
        var story = waiting(ON_SUCCESS);

        for (var i = 0; i < 4; i++) {
            story.fails(0, ErrorClass.TRANSIENT);
        }

        story.assertEnded("quarantined", "task 0 (work) failed after 4 attempts: no paper [E1]");
        assertThat(story.pending(Effect.AwaitOperator.class)).hasSize(1);
    }

    @Test
    void spentRetries_leadToTheStateForFailures() {
        var story = waiting(ON_SUCCESS.and(Outcomes.FAILED, "repair"));

        for (var i = 0; i < 4; i++) {
            story.fails(0, ErrorClass.TRANSIENT);
        }

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(story.cause()).isEqualTo(new StepCause.TaskEnded(0, Outcomes.FAILED));
    }

    @Test
    void aPermanentFailure_quarantinesTheJobAtOnce() {
        var story = waiting(ON_SUCCESS);

        story.fails(0, ErrorClass.PERMANENT);

        story.assertEnded(
                "quarantined", "task 0 (work) failed with a permanent error: no paper [E1]");
    }

    @Test
    void invalidInput_failsTheJobAtOnce() {
        var story = waiting(ON_SUCCESS);

        story.fails(0, ErrorClass.INVALID_INPUT);

        story.assertEnded("failed", "task 0 (work) failed due to invalid input: no paper [E1]");
    }

    @Test
    void lostAttempts_haveTheirOwnLimit_andNameTheWorkers() {
        var story = waiting(ON_SUCCESS);

        story.ends(0, story.grant(0, "anna"), Lost.EXPIRED);
        story.fails(0, ErrorClass.TRANSIENT);
        story.ends(0, story.grant(0, "ben"), Lost.WORKER_GONE);
        story.ends(0, story.grant(0, "anna"), Lost.EXPIRED);

        story.assertEnded(
                "quarantined", "task 0 (work) was lost with its worker 3 times: anna, ben, anna");
    }

    /// Trap: two processes under one name end each other's tasks, and the reason reads as if a machine had failed.
    @Test
    void anAttemptThatIsLostToAnotherProcessOfItsWorker_namesThatReason() {
        var story = waiting(ON_SUCCESS);

        for (var i = 0; i < 3; i++) {
            story.ends(0, story.grant(0, "twin"), Lost.WORKER_RESTARTED);
        }

        story.assertEnded(
                "quarantined",
                "task 0 (work) was lost 3 times (twin, twin, twin), the last time since another process registered under the name of its worker");
    }

    @Test
    void aLostAttempt_isOfferedAgainAtOnce() {
        var story = waiting(ON_SUCCESS);

        story.ends(0, story.grant(0, "anna"), Lost.EXPIRED);

        assertThat(story.pending(Effect.Offer.class).getFirst().notBefore()).isEqualTo(story.now());
        assertThat(story.task(0))
                .isInstanceOfSatisfying(
                        Task.Open.class,
                        open -> assertThat(open.lostBy()).containsExactly(new WorkerId("anna")));
    }

    @Test
    void aReturnedHandOut_isTheSameAttemptAgain_andCountsForNothing() {
        var story = waiting(ON_SUCCESS);

        for (var i = 0; i < 10; i++) {
            story.ends(0, story.grant(0, "anna"), Returned.RELEASED);
        }

        assertThat(story.task(0))
                .isInstanceOfSatisfying(
                        Task.Open.class,
                        open -> {
                            assertThat(open.attempt().attempt()).isEqualTo(1);
                            assertThat(open.failed()).isZero();
                            assertThat(open.lostBy()).isEmpty();
                        });
        assertThat(story.pending(Effect.Offer.class).getFirst().notBefore())
                .isEqualTo(story.now().plusMillis(500));
    }

    /// Trap: a caller that asks and hangs up takes the same task as often as the machine can.
    @Test
    void aHandOutThatDidNotArrive_isOfferedAgainAfterAPause_asTheSameAttempt() {
        var story = waiting(ON_SUCCESS);

        story.ends(0, story.grant(0, "anna"), Returned.NOT_RECEIVED);

        var offer = story.pending(Effect.Offer.class).getFirst();
        assertThat(offer.notBefore()).isEqualTo(story.now().plusMillis(500));
        assertThat(offer.attempt()).isOne();
    }

    @Test
    void anAttemptThatRunsTooLong_isRevoked_andRetriedElsewhere() {
        var story = waiting(ON_SUCCESS);
        var slow = story.grant(0, "anna");

        story.fires(new TimerKind.TaskTimer(0));

        assertThat(story.now()).isEqualTo(RandomWorld.BEGIN.plus(Duration.ofMinutes(5)));
        assertThat(story.pending(Effect.Revoke.class).getFirst().lease()).isEqualTo(slow);
        assertThat(story.pending(Effect.Offer.class).getFirst().attempt()).isEqualTo(2);
        assertThat(story.job().lingering()).isOne();
    }

    @Test
    void aLateReport_onlyFreesTheLingeringLease() {
        var story = waiting(ON_SUCCESS);
        var slow = story.grant(0, "anna");
        story.fires(new TimerKind.TaskTimer(0));

        story.accepted(story.reportOf(0, slow, SUCCESS));

        assertThat(story.task(0)).isInstanceOf(Task.Open.class);
        assertThat(story.job().lingering()).isZero();
        story.succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("done");
    }

    @Test
    void aTimeout_leadsToItsOwnState_andIsTheCause() {
        var story =
                new Timed(ON_SUCCESS.and(Outcomes.FAILED, "repair").and(Outcomes.TIMEOUT, "later"))
                        .story();

        story.fires(new TimerKind.TaskTimer(0));

        assertThat(story.branch(0).state()).isEqualTo("later");
        assertThat(story.cause()).isEqualTo(new StepCause.TaskEnded(0, Outcomes.TIMEOUT));
    }

    @Test
    void aTimeoutWithoutAStateOfItsOwn_isAFailure() {
        var story = new Timed(ON_SUCCESS.and(Outcomes.FAILED, "repair")).story();

        story.fires(new TimerKind.TaskTimer(0));

        assertThat(story.branch(0).state()).isEqualTo("repair");
        assertThat(story.cause()).isEqualTo(new StepCause.TaskEnded(0, Outcomes.FAILED));
    }

    @Test
    void aTaskThatNobodyTakesInTime_failsTheJob() {
        var story = new Timed(ON_SUCCESS).story();

        story.fires(new TimerKind.TaskTimer(0));

        story.assertEnded(
                "failed",
                "task 0 (work) was not taken by a worker before its dispatch deadline"
                        + " 2026-01-01T00:00:05Z");
    }

    @Test
    void theDispatchDeadline_countsFromTheEndOfTheBackoff() {
        var story = new Timed(ON_SUCCESS).story();

        story.fails(0, ErrorClass.TRANSIENT);

        assertThat(story.timer(new TimerKind.TaskTimer(0)))
                .isEqualTo(story.now().plusSeconds(1).plusSeconds(5));
    }

    @Test
    void aReportUnderAnotherLease_isRefused() {
        var story = waiting(ON_SUCCESS);
        var first = story.grant(0, "anna");
        story.ends(0, first, Lost.EXPIRED);
        story.grant(0, "ben");

        story.assertRefused(
                story.reportOf(0, first, SUCCESS),
                Decision.Reason.STALE_LEASE,
                "job job-1, task 0: report of worker anna refused, lease lease-0: it is over and"
                        + " worker ben holds another lease; stop this attempt");
    }

    @Test
    void aReportByAnotherWorker_isRefused() {
        var story = waiting(ON_SUCCESS);
        var lease = story.grant(0, "anna");
        var forged =
                new JobCommand.Report(
                        0, lease.token(), new WorkerId("mallory"), SUCCESS, 0.5, story.now());

        story.assertRefused(
                forged,
                Decision.Reason.STALE_LEASE,
                "job job-1, task 0: report of worker mallory refused, lease lease-0: it belongs to"
                        + " worker anna; stop this attempt");
    }

    @Test
    void theSameSuccessAgain_isAcceptedAndChangesNothing() {
        var story = waiting(ON_SUCCESS);
        var lease = story.grant(0, "anna");
        var report = story.reportOf(0, lease, SUCCESS);

        story.accepted(report);

        assertThat(story.accepted(report)).isEmpty();
    }

    @Test
    void aReportOnATaskThatIsNotThere_isRefused() {
        var story = waiting(ON_SUCCESS);
        var lease = story.grant(0, "anna");

        story.assertRefused(
                story.reportOf(7, lease, SUCCESS),
                Decision.Reason.UNKNOWN_TASK,
                "job job-1 has no task 7; it has 1");
    }

    @Test
    void anUnaskedCancellationByTheWorker_isATransientFailure() {
        var story = waiting(ON_SUCCESS);

        story.reports(0, new TaskReport.Cancelled());

        assertThat(story.pending(Effect.Offer.class).getFirst().attempt()).isEqualTo(2);
    }

    @Test
    void aSecondGrantOfTheSameOffer_isRefused() {
        var story = waiting(ON_SUCCESS);
        var offer = story.pending(Effect.Offer.class).getFirst();
        story.grant(0, "anna");

        story.assertRefused(
                Story.grantOf(offer, "lease-of-ben", "ben", story.now()),
                Decision.Reason.STALE_EFFECT,
                "job job-1: offer 4.0 of task 0 is no longer open");
        assertThat(story.task(0))
                .isInstanceOfSatisfying(
                        Task.Open.class,
                        open -> assertThat(open.attempt()).isInstanceOf(Attempt.Leased.class));
    }

    @Test
    void aStatusWithoutAState_failsTheJob() {
        var story = waiting(ON_SUCCESS.and("empty", "none"));

        story.reports(0, new TaskReport.Succeeded("strange", Payload.EMPTY));

        story.assertEnded(
                "failed",
                "Worker returned unhandled status: strange (task 0, expected one of [success,"
                        + " empty])");
    }

    @Test
    void theDataOfAResult_isMergedIntoTheDataOfTheJob() {
        var story =
                Story.of(
                        Action.dispatch(Story.TASK, ON_SUCCESS)
                                .with(JsonObject.of("a", JsonValue.of(1), "b", JsonValue.of(1))));

        story.reports(
                0,
                new TaskReport.Succeeded(
                        "success",
                        Payload.of(JsonObject.of("b", JsonValue.of(2), "c", JsonValue.of(2)))));

        assertThat(story.job().data().values())
                .containsExactly(
                        Map.entry("a", Payload.of(JsonValue.of(1))),
                        Map.entry("b", Payload.of(JsonValue.of(2))),
                        Map.entry("c", Payload.of(JsonValue.of(2))));
    }

    private static Story waiting(Outcomes on) {
        return Story.of(Action.dispatch(Story.TASK, on));
    }

    /// A job that waits for a task which must be taken within five seconds.
    private record Timed(Outcomes on) {
        Story story() {
            return Story.of(
                    Action.dispatch(Story.TASK.withDispatchDeadline(Duration.ofSeconds(5)), on));
        }
    }

    /// Trap: what a worker reports is silently lost unless it is an object.
    @ParameterizedTest
    @MethodSource("resultsWithoutMembers")
    void aResultWithoutMembers_isInTheData_asAWhole(Payload result) {
        var story = Story.of(Action.dispatch(Story.TASK, Outcomes.on("success", "done")));

        story.reports(0, new TaskReport.Succeeded("success", result));

        assertThat(story.job().data().get("result")).contains(result);
    }

    static List<Payload> resultsWithoutMembers() {
        return List.of(
                Payload.of(JsonValue.of(7)),
                Payload.of(JsonArray.of(JsonValue.of("a"))),
                new Payload.Ref("0".repeat(64), 70_000));
    }

    @Test
    void aResultThatIsNull_addsNothingToTheData() {
        var story = Story.of(Action.dispatch(Story.TASK, Outcomes.on("success", "done")));

        story.reports(0, new TaskReport.Succeeded("success", Payload.of(JsonNull.NULL)));

        assertThat(story.job().data().isEmpty()).isTrue();
    }

    /// Trap: one timer counts the time in the queue and that of the attempt.
    @Test
    void whoGotATaskLate_hasAsMuchTimeAsAnybody() {
        var task =
                Story.TASK
                        .withDispatchDeadline(Duration.ofHours(1))
                        .withExecutionTimeout(Duration.ofMinutes(5));
        var story = Story.of(Action.dispatch(task, Outcomes.on("success", "next")));
        story.after(Duration.ofMinutes(59));

        var lease = story.grant(0, "anna");

        assertThat(lease.timeout()).isEqualTo(story.now().plus(Duration.ofMinutes(5)));
        assertThat(story.timer(new TimerKind.TaskTimer(0))).isEqualTo(lease.timeout());
        story.after(Duration.ofMinutes(4)).succeeds(0);
        assertThat(story.branch(0).state()).isEqualTo("next");
    }
}
