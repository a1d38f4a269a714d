package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.core.dispatch.DispatchSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.attempt.WorkerInstance;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import dev.artel.kernel.placement.Placement;
import dev.artel.kernel.task.Payload;
import dev.artel.kernel.task.Rate;
import dev.artel.kernel.task.SharedLimit;
import dev.artel.kernel.task.TaskSpec;
import dev.artel.kernel.timer.TimerKind;
import dev.artel.waits.CpuTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class CoordinatorCoreTest {
    private static final Duration TERM = Duration.ofSeconds(60);

    private final CoordinatorCore coordinator = new CoordinatorCore(TERM, new SplittableRandom(1));
    private final List<CoordinatorOutput> outputs = new ArrayList<>();
    private Instant now = Samples.NOW;
    private Instant steady = Samples.NOW;
    private long asks = 1_000;

    @Test
    void aTaskWaitsUntilAWorkerAsksAndHasRoom() {
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        offer("j", 0, 0);

        assertThat(outputs).isEmpty();

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));

        assertThat(grants()).hasSize(1);
    }

    @Test
    void aLargeFanOut_takesTurnsWithASmallJobOfTheSamePriority() {
        for (var task = 0; task < 1000; task++) {
            offer("large", task, 0);
        }
        offer("small", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 2));

        assertThat(commands())
                .extracting(CoordinatorOutput.Command::job)
                .containsExactly(new JobId("large"), new JobId("small"));
    }

    @Test
    void aTaskThatNobodyHereCanDo_givesNoHope() {
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        assertThat(coordinator.isHopeful()).isFalse();

        put(
                new CoordinatorInput.Effects(
                        new JobId("odd"), List.of(Samples.offer("solve", 0, now)), List.of()));
        assertThat(coordinator.queued()).isEqualTo(1);
        assertThat(coordinator.isHopeful()).isFalse();

        offer("plain", 0, 0);
        assertThat(coordinator.isHopeful()).isTrue();

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 1));
        assertThat(coordinator.isHopeful()).isFalse();
    }

    /// Trap: after a failed commit each job looks through the leases, slots and timers of all.
    @Test
    void aFailedCommit_costsWhatItsJobHas_notWhatAllHave() {
        var jobs = 50_000;
        for (var i = 0; i < jobs; i++) {
            var job = new JobId("job-" + i);
            var token = LeaseToken.mint(job, 0, 1, i);
            var lease = new Lease(token, new WorkerId("w" + i % 1_000), 1, now.plusSeconds(60));
            var hold =
                    new Effect.HoldLease(
                            new EffectId(3, 0), 0, lease, Samples.TASK, "blueprint", 0);
            var timer =
                    new Effect.ScheduleTimer(
                            new EffectId(3, 1), now.plusSeconds(60), new TimerKind.TaskTimer(0));
            put(new CoordinatorInput.Effects(job, List.of(hold, timer), List.of()));
        }
        outputs.clear();
        var before = CpuTime.ofThisThread();

        for (var i = 0; i < 5_000; i++) {
            put(new CoordinatorInput.AllPending(new JobId("job-" + i), List.of()));
        }

        var view = coordinator.view();
        assertThat(view.leases()).hasSize(jobs - 5_000);
        assertThat(view.timers()).isEqualTo(jobs - 5_000);
        assertThat(view.slots().values().stream().mapToInt(Set::size).sum())
                .isEqualTo(jobs - 5_000);
        assertThat(CpuTime.ofThisThread().minus(before)).isLessThan(Duration.ofSeconds(15));
    }

    /// Trap: a million tasks that wait with a few kilobytes each fill the memory.
    @Test
    void whatAWorkerIsGiven_isNotKeptWhileItWaitsOrWorks() {
        var large = JsonObject.of("text", JsonValue.of("x".repeat(10_000)));
        var job = new JobId("j");
        var lease =
                new Lease(LeaseToken.mint(job, 0, 1, 7), Samples.WORKER, 1, now.plusSeconds(60));
        var hold =
                new Effect.HoldLease(
                        new EffectId(3, 0), 0, lease, TaskSpec.of("work", large), "blueprint", 0);
        put(new CoordinatorInput.Effects(new JobId("j"), List.of(hold), List.of()));
        outputs.clear();

        put(new CoordinatorInput.Listened());

        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        CoordinatorOutput.Held.class,
                        held -> assertThat(held.task().spec().params()).isEqualTo(Payload.EMPTY));
    }

    @Test
    void aHigherPriority_goesFirst() {
        offer("low", 0, 0);
        offer("high", 0, 5);
        put(new CoordinatorInput.Joined(Samples.PROFILE));

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 1));

        assertThat(commands())
                .extracting(CoordinatorOutput.Command::job)
                .containsExactly(new JobId("high"));
    }

    /// Trap: tasks of equal priority come in the order of their bytes, or not at all since they cannot be compared.
    @Test
    void tasksOfEqualPriority_goInTheOrderInWhichTheyWereOpened() {
        for (var task : List.of(7, 3, 9, 1)) {
            offer("job", task, 2.5);
        }
        offer("job", 0, 3);
        put(new CoordinatorInput.Joined(WorkerProfile.of(Samples.WORKER, List.of("work"), 10)));

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 10));

        assertThat(grants()).extracting(JobCommand.Grant::task).containsExactly(0, 1, 3, 7, 9);
    }

    @Test
    void aWorkerNeverGetsMoreThanItHasRoomFor() {
        IntStream.range(0, 10).forEach(task -> offer("j", task, 0));
        put(new CoordinatorInput.Joined(Samples.PROFILE));

        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        put(new CoordinatorInput.Asked(2, Samples.WORKER, 8));

        assertThat(grants()).hasSize(2);
    }

    @Test
    void theHandOutOfAnAsk_waitsForAllItsGrants() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        outputs.clear();

        hold(granted.get(0));
        assertThat(outputs).isEmpty();
        hold(granted.get(1));

        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        CoordinatorOutput.HandOuts.class,
                        out -> assertThat(out.tasks()).hasSize(2));
    }

    /// Trap: one job that cannot be read, or is read slowly, keeps the tasks of others from a worker that asked for all of them.
    @Test
    void whatIsReady_isHandedOut_whenTheRestOfItsAnswerTakesTooLong() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        hold(granted.get(0));
        outputs.clear();

        assertThat(coordinator.nextWake())
                .hasValueSatisfying(wake -> assertThat(wake).isEqualTo(now.plusSeconds(1)));
        pass(Duration.ofSeconds(1));

        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        CoordinatorOutput.HandOuts.class,
                        out -> assertThat(out.tasks()).hasSize(1));
        outputs.clear();

        hold(granted.get(1));

        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).reason())
                .isEqualTo(LeaseEnd.Returned.NOT_RECEIVED);
    }

    @Test
    void theTasksOfAJobThatCannotBeRead_waitNoMore_untilItSaysAgainWhatItAsksFor() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        var a = new JobId("a");

        put(new CoordinatorInput.Unreadable(a));

        assertThat(coordinator.queued()).isEqualTo(1);
        put(new CoordinatorInput.AllPending(a, List.of(Samples.offer(0, 0, now))));
        assertThat(coordinator.queued()).isEqualTo(2);
    }

    @Test
    void aGrant_namesTheProcessOfItsWorker() {
        var process = new WorkerInstance("p1");
        offer("a", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE.as(process)));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));

        var granted = (JobCommand.Grant) commands().getFirst().command();

        assertThat(granted.instance()).isEqualTo(process);
    }

    /// Trap: the end of a lease is asked for once, its append fails, and each heartbeat of the worker renews what neither of them knows
    /// of any more.
    @Test
    void aLeaseThatNobodyNames_isNotRenewed_andItsEndIsAskedForAgainWithEachTerm() {
        var lease = recovered("a");
        put(new CoordinatorInput.Ended(lease, LeaseEnd.Returned.NOT_RECEIVED));
        for (var term = 0; term < 3; term++) {
            outputs.clear();
            put(new CoordinatorInput.Renewed(Samples.WORKER, List.of(), TERM));
            pass(TERM);
            put(new CoordinatorInput.Tick(steady));

            assertThat(commands())
                    .singleElement()
                    .extracting(CoordinatorOutput.Command::command)
                    .isInstanceOf(JobCommand.EndLease.class);
        }
    }

    @Test
    void aGrantForAnAskThatIsOver_comesBackAsNotReceived() {
        offer("a", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var granted = commands().getFirst();
        put(new CoordinatorInput.Withdrawn(1));
        outputs.clear();

        hold(granted);

        assertThat(commands())
                .singleElement()
                .extracting(CoordinatorOutput.Command::command)
                .isInstanceOfSatisfying(
                        JobCommand.EndLease.class,
                        end -> assertThat(end.reason()).isEqualTo(LeaseEnd.Returned.NOT_RECEIVED));
    }

    /// Trap: the worker that suits best gives each task back, and gets it again each time, while another one is idle.
    @Test
    void aWorkerThatGivesTasksBackAgainAndAgain_comesBehindOthers_forAWhile() {
        var eager = new WorkerId("eager");
        var profile = WorkerProfile.of(eager, List.of("work"), 10_000);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        var busy = placed("busy", Samples.WORKER);
        hold(busy);
        put(new CoordinatorInput.Joined(profile));

        givenBack("a", eager);
        // What comes back within a second counts once, and once is excused.
        givenBack("b", eager);
        pass(Duration.ofSeconds(1));
        givenBack("c", eager);

        var other = placed("other", eager, Samples.WORKER);
        var placement = ((JobCommand.Grant) other.command()).placement();
        assertThat(placement.because())
                .isEqualTo(
                        "first of 2 that asked and could take it: fewest tasks given back lately, then warm, then cheapest, then least loaded");
        assertThat(placement.best())
                .extracting(Placement.Candidate::worker)
                .containsExactly(Samples.WORKER, eager);
        assertThat(placement.best().getLast().score().getFirst())
                .isEqualTo(new Placement.Figure("given_back", 1));
        hold(other);
        assertThat(workerOf(placed("only", eager))).isEqualTo(eager);

        // Also after it has left and come again.
        ended(other);
        put(new CoordinatorInput.Left(eager, LeaseEnd.Lost.WORKER_GONE));
        put(new CoordinatorInput.Joined(profile));
        var still = placed("still", eager, Samples.WORKER);
        assertThat(workerOf(still)).isEqualTo(Samples.WORKER);
        hold(still);
        ended(still);

        pass(Duration.ofMinutes(2));
        assertThat(workerOf(placed("later", eager, Samples.WORKER))).isEqualTo(eager);
    }

    /// The grant of a task, for which some workers ask.
    private CoordinatorOutput.Command placed(String job, WorkerId... asking) {
        for (var worker : asking) {
            put(new CoordinatorInput.Asked(++asks, worker, 1));
        }
        offer(job, 0, 0);
        return commands().stream()
                .filter(command -> command.command() instanceof JobCommand.Grant)
                .toList()
                .getLast();
    }

    private static WorkerId workerOf(CoordinatorOutput.Command granted) {
        return ((JobCommand.Grant) granted.command()).worker();
    }

    /// Trap: the orchestrator has no memory for large parameters, and its workers come behind others for that.
    @Test
    void tasksForWhichThereIsNoRoom_countAgainstNoWorker() {
        var eager = new WorkerId("eager");
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        hold(placed("busy", Samples.WORKER));
        put(new CoordinatorInput.Joined(WorkerProfile.of(eager, List.of("work"), 10_000)));

        for (var job : List.of("a", "b", "c", "d")) {
            givenBack(job, eager, LeaseEnd.Returned.NO_ROOM);
            pass(Duration.ofSeconds(1));
        }

        assertThat(workerOf(placed("other", Samples.WORKER, eager))).isEqualTo(eager);
    }

    private void givenBack(String job, WorkerId worker) {
        givenBack(job, worker, LeaseEnd.Returned.RELEASED);
    }

    /// `worker` gets a task, though another one is there, and does not keep it.
    private void givenBack(String job, WorkerId worker, LeaseEnd.Returned why) {
        var granted = placed(job, Samples.WORKER, worker);
        assertThat(workerOf(granted)).isEqualTo(worker);
        hold(granted);
        var token = ((JobCommand.Grant) granted.command()).token();
        put(new CoordinatorInput.Ended(token, why));
        ended(granted);
    }

    private void ended(CoordinatorOutput.Command granted) {
        var lease = leaseOf((JobCommand.Grant) granted.command());
        var hold = holdOf(granted.job().value(), lease);
        put(new CoordinatorInput.Effects(granted.job(), List.of(), List.of(hold)));
    }

    /// The answer with it waits for another grant, so no worker has received it yet, and none will ask for it.
    @Test
    void aDurableGrantOfAnAskThatIsWithdrawn_isReturnedAtOnce() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        var lease = leaseOf((JobCommand.Grant) granted.getFirst().command());
        hold(granted.get(0));
        outputs.clear();

        put(new CoordinatorInput.Withdrawn(1));

        assertThat(commands())
                .singleElement()
                .extracting(CoordinatorOutput.Command::command)
                .isInstanceOfSatisfying(
                        JobCommand.EndLease.class,
                        end -> {
                            assertThat(end.token()).isEqualTo(lease.token());
                            assertThat(end.reason()).isEqualTo(LeaseEnd.Returned.NOT_RECEIVED);
                        });
    }

    @Test
    void aRevokedLease_keepsItsSlotUntilTheWorkerIsRidOfIt() {
        offer("a", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var lease = leaseOf((JobCommand.Grant) commands().getFirst().command());
        hold(commands().getFirst());
        var revoke = new Effect.Revoke(new EffectId(9, 0), 0, lease, Samples.TASK, "blueprint");

        put(
                new CoordinatorInput.Effects(
                        new JobId("a"), List.of(revoke), List.of(holdOf("a", lease))));
        assertThat(coordinator.view().slots().get(Samples.WORKER)).containsExactly(lease.token());

        put(new CoordinatorInput.Effects(new JobId("a"), List.of(), List.of(revoke)));
        assertThat(coordinator.view().slots().get(Samples.WORKER)).isEmpty();
    }

    @Test
    void aLeaseRevokedWithItsGrant_isReturned_andTheOthersOfItsAskAreHandedOut() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        var lease = leaseOf((JobCommand.Grant) granted.get(0).command());
        var revoke = new Effect.Revoke(new EffectId(9, 0), 0, lease, Samples.TASK, "blueprint");
        hold(granted.get(1));
        outputs.clear();

        put(new CoordinatorInput.Effects(granted.get(0).job(), List.of(revoke), List.of()));

        assertThat(outputs).hasAtLeastOneElementOfType(CoordinatorOutput.HandOuts.class);
        assertThat(outputs).doesNotHaveAnyElementsOfTypes(CoordinatorOutput.Revoked.class);
        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).reason())
                .isEqualTo(LeaseEnd.Returned.NOT_RECEIVED);
        assertThat(coordinator.view().reserved()).isZero();
    }

    @Test
    void aLeaseThatIsNotRenewed_ends_andOneThatIs_does_not() {
        var kept = recovered("kept");
        var _ = recovered("lost");
        put(new CoordinatorInput.Renewed(Samples.WORKER, List.of(kept), Duration.ofMinutes(10)));
        pass(TERM);

        put(new CoordinatorInput.Tick(steady));

        assertThat(commands())
                .singleElement()
                .satisfies(command -> {
                    assertThat(command.job()).isEqualTo(new JobId("lost"));
                    assertThat(((JobCommand.EndLease) command.command()).reason())
                            .isEqualTo(LeaseEnd.Lost.EXPIRED);
                });
        assertThat(coordinator.view().leases()).contains(kept);
    }

    /// Trap: the clock is set back by an hour, and the task of a dead worker is with nobody for an hour.
    @Test
    void aClockThatIsSetBack_makesNoLeaseLonger() {
        var lease = recovered("a");
        now = now.minus(Duration.ofHours(1));
        outputs.clear();
        put(new CoordinatorInput.Renewed(Samples.WORKER, List.of(), Duration.ofMinutes(10)));
        pass(TERM.minusMillis(1));
        put(new CoordinatorInput.Tick(steady));
        assertThat(outputs).isEmpty();

        pass(Duration.ofMillis(1));
        put(new CoordinatorInput.Tick(steady));

        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).token())
                .isEqualTo(lease);
    }

    /// Trap: the clock is set ahead, and the tasks of all workers are taken from them.
    @Test
    void aClockThatIsSetAhead_endsNoLease() {
        recovered("a");
        pass(Duration.ofSeconds(5));
        now = now.plus(Duration.ofDays(1));

        put(new CoordinatorInput.Tick(steady));
        pass(TERM.minus(Duration.ofSeconds(6)));

        assertThat(commands()).isEmpty();
    }

    /// Trap: the process was stopped for longer than a term, in which no worker could renew anything.
    @Test
    void aStandstill_givesEachLeaseAFreshTerm() {
        var lease = recovered("a");
        pass(Duration.ofSeconds(5));
        standStill(Duration.ofMinutes(90));

        pass(TERM.minusMillis(1));
        assertThat(commands()).isEmpty();
        pass(Duration.ofMillis(1));

        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).token())
                .isEqualTo(lease);
    }

    /// Trap: the end of a lease got lost, and after a standstill the lease has a fresh term and is taken for overdue.
    @Test
    void aLeaseThatWasOverBeforeAStandstill_isOverAfterItsFreshTerm() {
        var lease = recovered("a");
        pass(TERM);
        assertThat(coordinator.view().expiries().get(lease)).isEqualTo(now);

        standStill(Duration.ofMinutes(2));

        assertThat(coordinator.view().expiries().get(lease)).isEqualTo(now.plus(TERM));
    }

    /// Trap: a worker with a long term renews seldom, and the fresh term is shorter than that.
    @Test
    void aStandstill_givesALeaseWithATermOfItsOwn_thatTerm() {
        var lease = recovered("a");
        pass(Duration.ofSeconds(5));
        put(new CoordinatorInput.Renewed(Samples.WORKER, List.of(lease), TERM.multipliedBy(3)));
        standStill(Duration.ofDays(1));

        pass(TERM.multipliedBy(3).minusMillis(1));
        assertThat(commands()).isEmpty();
        pass(Duration.ofMillis(1));

        assertThat(commands()).hasSize(1);
    }

    /// Trap: the process is stopped between a tick and its receipt, and the tick is taken for one of afterwards.
    @Test
    void aTickThatHadToWait_endsOnlyWhatWasOverWhenItWasSent() {
        recovered("a");
        pass(Duration.ofSeconds(5));
        var sent = steady.plusSeconds(1);
        steady = steady.plus(Duration.ofHours(1));
        now = now.plus(Duration.ofHours(1));

        put(new CoordinatorInput.Tick(sent));
        put(new CoordinatorInput.Tick(steady));

        assertThat(commands()).isEmpty();
    }

    private void standStill(Duration time) {
        steady = steady.plus(time);
        now = now.plus(time);
        put(new CoordinatorInput.Tick(steady));
    }

    /// Trap: the end of a lease gets lost, the clock is set back, and nobody asks for it again.
    @Test
    void anEndThatGotLost_isAskedForAgainAfterATerm_alsoIfTheClockIsSetBack() {
        var lease = recovered("a");
        pass(TERM);
        put(new CoordinatorInput.Tick(steady));
        outputs.clear();
        now = now.minus(Duration.ofHours(1));
        put(new CoordinatorInput.Tick(steady));
        assertThat(outputs).isEmpty();

        pass(TERM);
        put(new CoordinatorInput.Tick(steady));

        assertThat(commands()).hasSize(1);
        assertThat(coordinator.view().expiries().get(lease)).isEqualTo(now.minus(TERM));
    }

    /// Trap: a worker that lives keeps the slot of a revoked attempt forever.
    @Test
    void aRevokedLease_isNotRenewedWithTheOthers_andEndsWithItsTerm() {
        var lease = leaseRecovered("a");
        put(revoked("a", lease));
        put(
                new CoordinatorInput.Renewed(
                        Samples.WORKER, List.of(lease.token()), Duration.ofMinutes(10)));
        outputs.clear();

        pass(TERM);

        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).token())
                .isEqualTo(lease.token());
    }

    @Test
    void aRevokedLeaseThatItsWorkerNames_isKept_untilItsAttemptTimesOut() {
        var lease = leaseRecovered("a");
        put(revoked("a", lease));
        put(
                new CoordinatorInput.RenewedOnly(
                        1, Samples.WORKER, List.of(lease.token()), Duration.ofDays(1)));
        pass(TERM);
        outputs.clear();

        put(new CoordinatorInput.Tick(steady));
        assertThat(outputs).isEmpty();

        pass(Duration.between(now, lease.timeout()));
        assertThat(commands()).isNotEmpty();
    }

    @Test
    void aListener_receivesTheLeasesFromBefore() {
        var live = leaseRecovered("live");
        var over = leaseRecovered("over");
        put(revoked("over", over));
        assertThat(held()).containsExactly(live.token(), over.token());
        outputs.clear();

        put(new CoordinatorInput.Listened());

        assertThat(held()).containsExactly(live.token());
        assertThat(outputs).contains(new CoordinatorOutput.Revoked(Samples.WORKER, over.token()));
    }

    /// Trap: the slot goes to the offer that is withdrawn a moment later, and the grant comes to nothing.
    @Test
    void anOfferThatEndsTogetherWithALease_doesNotGetItsSlot() {
        put(new CoordinatorInput.Joined(WorkerProfile.of(Samples.WORKER, List.of("work"), 1)));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 1));
        var lease = leaseRecovered("j");
        offer("j", 1, 0);
        offer("other", 0, 0);
        var ended = Samples.offer(1, 0, now);
        assertThat(grants()).isEmpty();

        put(
                new CoordinatorInput.Effects(
                        Samples.job("j"), List.of(), List.of(holdOf("j", lease), ended)));

        assertThat(commands())
                .extracting(CoordinatorOutput.Command::job)
                .containsExactly(new JobId("other"));
    }

    @Test
    void aLeaseThatComesByItself_isCountedAtItsRateAsOfNow() {
        var twice = SharedLimit.of("type:work").withRate(Rate.of(2, Duration.ofSeconds(2)));
        put(new CoordinatorInput.Configured(DispatchSettings.DEFAULTS.withLimits(List.of(twice))));
        leaseRecovered("first");
        leaseRecovered("second");
        put(new CoordinatorInput.Joined(Samples.PROFILE));
        now = now.plusSeconds(2);
        steady = steady.plusSeconds(2);
        leaseRecovered("third");
        leaseRecovered("fourth");
        put(new CoordinatorInput.Joined(WorkerProfile.of(Samples.WORKER, List.of("work"), 9)));
        put(new CoordinatorInput.Asked(1, Samples.WORKER, 1));

        offer("fifth", 0, 0);

        assertThat(grants()).isEmpty();
    }

    private List<LeaseToken> held() {
        return outputs.stream()
                .filter(CoordinatorOutput.Held.class::isInstance)
                .map(output -> ((CoordinatorOutput.Held) output).task().lease().token())
                .toList();
    }

    private static CoordinatorInput revoked(String job, Lease lease) {
        return new CoordinatorInput.Effects(
                new JobId(job),
                List.of(new Effect.Revoke(new EffectId(9, 0), 0, lease, Samples.TASK, "blueprint")),
                List.of(holdOf(job, lease)));
    }

    private LeaseToken recovered(String job) {
        return leaseRecovered(job).token();
    }

    private Lease leaseRecovered(String job) {
        var token = LeaseToken.mint(new JobId(job), 0, 1, 5);
        var lease = new Lease(token, Samples.WORKER, 1, now.plus(TERM.multipliedBy(20)));
        put(new CoordinatorInput.Effects(new JobId(job), List.of(holdOf(job, lease)), List.of()));
        return lease;
    }

    private void offer(String job, int task, double priority) {
        var offer = Samples.offer(task, priority, now);
        put(new CoordinatorInput.Effects(new JobId(job), List.of(offer), List.of()));
    }

    private void hold(CoordinatorOutput.Command granted) {
        var grant = (JobCommand.Grant) granted.command();
        var hold = holdOf(granted.job().value(), leaseOf(grant));
        put(new CoordinatorInput.Effects(granted.job(), List.of(hold), List.of()));
    }

    private Lease leaseOf(JobCommand.Grant grant) {
        return new Lease(grant.token(), grant.worker(), 1, now.plus(TERM.multipliedBy(5)));
    }

    private static Effect.HoldLease holdOf(String job, Lease lease) {
        var spec = Samples.TASK;
        return new Effect.HoldLease(new EffectId(job.length(), 0), 0, lease, spec, "blueprint", 0);
    }

    private List<CoordinatorOutput.Command> commands() {
        return outputs.stream()
                .filter(CoordinatorOutput.Command.class::isInstance)
                .map(CoordinatorOutput.Command.class::cast)
                .toList();
    }

    private List<JobCommand.Grant> grants() {
        return commands().stream()
                .map(CoordinatorOutput.Command::command)
                .map(JobCommand.Grant.class::cast)
                .toList();
    }

    /// Time passes, and the coordinator ticks once a second.
    private void pass(Duration time) {
        var end = steady.plus(time);
        while (steady.isBefore(end)) {
            var left = Duration.between(steady, end);
            var step = left.toSeconds() > 0 ? Duration.ofSeconds(1) : left;
            steady = steady.plus(step);
            now = now.plus(step);
            put(new CoordinatorInput.Tick(steady));
        }
    }

    private void put(CoordinatorInput input) {
        coordinator.on(input, new CoordinatorTime(now, steady), outputs::add);
    }
}
