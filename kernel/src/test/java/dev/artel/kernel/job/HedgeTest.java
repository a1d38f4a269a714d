package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.json.JsonObject;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.placement.Exclusion;
import dev.artel.kernel.task.ErrorClass;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.TaskError;
import dev.artel.kernel.task.TaskReport;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HedgeTest {
    private static final TaskSpec HEDGED = Story.TASK.hedgedAfter(Duration.ofSeconds(20));
    private static final TimerKind TIMER = new TimerKind.TaskTimer(0);
    private static final TaskReport DONE = new TaskReport.Succeeded("success", Payload.EMPTY);
    private static final TaskReport FAILED =
            new TaskReport.Failed(new TaskError(ErrorClass.TRANSIENT, "E1", "no paper"));

    private static Story dispatched(TaskSpec task) {
        return Story.of(Action.dispatch(task, Outcomes.on("success", "next")));
    }

    /// A job of which two workers have the only task.
    private static final class Two {
        final Story story = dispatched(HEDGED);
        final Lease first = story.grant(0, "anna");
        final Lease second;

        Two() {
            story.hedges(0);
            story.grant(0, "ben");
            second = Hedge.lease(story.job().tasks().get(0)).orElseThrow();
        }

        List<JobEvent> reports(Lease lease, TaskReport report) {
            return story.accepted(story.reportOf(0, lease, report));
        }
    }

    @Test
    void aTaskThatTakesLong_isOfferedToAnotherWorker() {
        var story = dispatched(HEDGED);
        var first = story.grant(0, "anna");

        story.hedges(0);

        assertThat(story.pending(Effect.Offer.class))
                .singleElement()
                .satisfies(offer -> {
                    assertThat(offer.attempt()).isEqualTo(2);
                    assertThat(offer.failedOn()).containsExactly(new WorkerId("anna"));
                    assertThat(offer.outline().demand().preferences().exclusion())
                            .isEqualTo(Exclusion.NEVER_AGAIN);
                });
        assertThat(story.leaseOf(0)).isEqualTo(first);
        story.assertStatus("waiting_for_worker");
    }

    @Test
    void aTaskThatIsDoneInTime_isNotHedged() {
        var story = dispatched(HEDGED);

        story.succeeds(0);

        assertThat(story.pending(Effect.ScheduleTimer.class)).isEmpty();
        assertThat(story.job().tasks().get(0).hedge()).isEmpty();
    }

    @Test
    void theFirstResult_counts_andTheOtherWorkerReceivesACancel() {
        var two = new Two();

        two.reports(two.second, DONE);

        assertThat(two.story.branch(0).state()).isEqualTo("next");
        assertThat(two.story.pending(Effect.Revoke.class))
                .extracting(Effect.Revoke::lease)
                .containsExactly(two.first);
        assertThat(two.story.task(0))
                .isInstanceOfSatisfying(
                        Task.Succeeded.class,
                        done -> {
                            assertThat(done.worker()).isEqualTo(new WorkerId("ben"));
                            assertThat(done.attempt()).isEqualTo(2);
                        });
        assertThat(two.story.job().leased()).isZero();
    }

    @Test
    void theLateReportOfTheOther_onlyFreesItsSlot_andTheWinnersIsTakenAgain() {
        var two = new Two();
        two.reports(two.first, DONE);

        assertThat(two.reports(two.first, DONE)).isEmpty();
        assertThat(two.reports(two.second, DONE))
                .singleElement()
                .isInstanceOf(JobEvent.LeaseReleased.class);

        two.story.assertRefused(
                two.story.reportOf(0, two.second, DONE),
                Decision.Reason.STALE_LEASE,
                "job job-1, task 0: report of worker ben refused, lease "
                        + two.second.token()
                        + ": it is over and the task has its outcome; stop this attempt");
    }

    /// Trap: one of two fails, and the task with it, although the other one is about to do it.
    @Test
    void aFailureOfOne_isNoFailureOfTheTask() {
        var two = new Two();

        assertThat(two.reports(two.first, FAILED))
                .singleElement()
                .isInstanceOfSatisfying(
                        JobEvent.AttemptDropped.class,
                        dropped ->
                                assertThat(dropped.reason())
                                        .isEqualTo("worker anna failed: no paper"));

        assertThat(two.story.leaseOf(0)).isEqualTo(two.second);
        assertThat(((Task.Open) two.story.task(0)).failed()).isZero();
        two.reports(two.second, DONE);
        assertThat(two.story.branch(0).state()).isEqualTo("next");
    }

    @Test
    void whoIsLeft_failsTheTaskAsAlways_andNoNumberOfAnAttemptIsUsedTwice() {
        var two = new Two();
        two.reports(two.second, FAILED);

        two.reports(two.first, FAILED);

        assertThat(two.story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::attempt)
                .containsExactly(3);
        assertThat(((Task.Open) two.story.task(0)).failed()).isOne();
    }

    @Test
    void aWorkerThatIsLost_leavesTheOtherOneAtIt() {
        var two = new Two();

        two.story.ends(0, two.first, LeaseEnd.Lost.WORKER_GONE);

        assertThat(two.story.leaseOf(0)).isEqualTo(two.second);
        assertThat(((Task.Open) two.story.task(0)).lostBy()).isEmpty();
        assertThat(two.story.pending(Effect.HoldLease.class)).hasSize(1);
    }

    @Test
    void aSecondAttemptThatIsGivenBackUnstarted_isMadeAnew() {
        var two = new Two();

        two.story.ends(0, two.second, LeaseEnd.Returned.NOT_RECEIVED);

        assertThat(two.story.leaseOf(0)).isEqualTo(two.first);
        two.story.hedges(0);
        assertThat(two.story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::attempt)
                .containsExactly(3);
    }

    @Test
    void anAttemptThatTakesTooLong_isRevoked_andTheOtherGoesOn() {
        var two = new Two();
        var timer =
                two.story.pending(Effect.ScheduleTimer.class).stream()
                        .filter(wake -> wake.at().equals(two.first.timeout()))
                        .findFirst()
                        .orElseThrow();
        two.story.after(Duration.between(two.story.now(), timer.at()));

        two.story.accepted(new JobCommand.FireTimer(timer.id(), TIMER, 0.5, two.story.now()));

        assertThat(two.story.leaseOf(0)).isEqualTo(two.second);
        assertThat(two.story.pending(Effect.Revoke.class))
                .extracting(Effect.Revoke::lease)
                .containsExactly(two.first);
    }

    @Test
    void aFirstAttemptThatFails_whileTheSecondWaitsForAWorker_isRetriedAsAlways() {
        var story = dispatched(HEDGED);
        story.grant(0, "anna");
        story.hedges(0);

        story.fails(0, ErrorClass.TRANSIENT);

        assertThat(story.pending(Effect.Offer.class))
                .extracting(Effect.Offer::attempt)
                .containsExactly(3);
        assertThat(story.job().tasks().get(0).hedge()).isEmpty();
    }

    @Test
    void aCancel_reachesBoth() {
        var two = new Two();

        two.story.cancel();

        assertThat(two.story.pending(Effect.Revoke.class))
                .extracting(Effect.Revoke::lease)
                .containsExactlyInAnyOrder(two.first, two.second);
        assertThat(two.story.job().lingering()).isEqualTo(2);
    }

    @Test
    void whatMustNotBeDoneTwice_isNotHedged() {
        assertThatThrownBy(HEDGED::notIdempotent)
                .hasMessage(
                        "a task of type 'work' cannot be hedged and be not idempotent: two workers"
                                + " would do what must be done once; leave one of the two out");
        var once = Story.TASK.notIdempotent();
        assertThatThrownBy(() -> once.hedgedAfter(Duration.ofSeconds(1)))
                .hasMessageContaining("cannot be hedged and be not idempotent");
    }

    @Test
    void aTimeThatNeverComes_isRefused() {
        assertThatThrownBy(() -> Story.TASK.hedgedAfter(Duration.ZERO))
                .hasMessage("a task of type 'work' is hedged after a positive time, was PT0S");
        assertThatThrownBy(() -> Story.TASK.hedgedAfter(Duration.ofMinutes(10)))
                .hasMessage(
                        "a task of type 'work' is never hedged after PT10M, since an attempt may take"
                                + " PT5M; hedge it earlier, or set a longer execution timeout before");
    }

    /// Trap: two things that a job asks for in one event have one name, and an answer to the one ends the other.
    @Test
    void aCancelOfTwoWorkersAndAChild_asksForThreeDifferentThings() {
        var story = Story.of(Action.fork(List.of("left", "right"), "join"));
        story.step(1, Action.dispatch(HEDGED, Outcomes.on("success", "next")));
        story.step(
                2, Action.runBlueprint("pay", JsonObject.EMPTY, Outcomes.on("finished", "paid")));
        var child = story.job().children().children().get(0);
        story.accepted(new JobCommand.ConfirmChild(0, child.start(), story.now()));
        story.grant(0, "anna");
        story.hedges(0);
        story.grant(0, "ben");

        story.cancel();

        assertThat(story.pending(Effect.Revoke.class)).hasSize(2);
        assertThat(story.pending(Effect.StopChild.class)).hasSize(1);
        assertThat(Jobs.pending(story.job())).extracting(Effect::id).doesNotHaveDuplicates();
    }
}
