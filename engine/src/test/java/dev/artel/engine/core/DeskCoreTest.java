package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.delivery.Lease;
import dev.artel.kernel.delivery.LeaseEnding;
import dev.artel.kernel.delivery.LeaseToken;
import dev.artel.kernel.fleet.WorkerProfile;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DeskCoreTest {
    private static final Duration TERM = Duration.ofSeconds(60);

    private final DeskCore desk = new DeskCore(TERM, new SplittableRandom(1));
    private final List<DeskOutput> outputs = new ArrayList<>();
    private Instant now = Samples.NOW;

    @Test
    void aTaskWaitsUntilAWorkerAsksAndHasRoom() {
        put(new DeskInput.Joined(Samples.PROFILE));
        offer("j", 0, 0);

        assertThat(outputs).isEmpty();

        put(new DeskInput.Asked(1, Samples.WORKER, 8));

        assertThat(grants()).hasSize(1);
    }

    @Test
    void aLargeFanOut_takesTurnsWithASmallJobOfTheSamePriority() {
        for (var task = 0; task < 1000; task++) {
            offer("large", task, 0);
        }
        offer("small", 0, 0);
        put(new DeskInput.Joined(Samples.PROFILE));

        put(new DeskInput.Asked(1, Samples.WORKER, 2));

        assertThat(commands())
                .extracting(DeskOutput.Command::job)
                .containsExactly(new JobId("large"), new JobId("small"));
    }

    @Test
    void aHigherPriority_goesFirst() {
        offer("low", 0, 0);
        offer("high", 0, 5);
        put(new DeskInput.Joined(Samples.PROFILE));

        put(new DeskInput.Asked(1, Samples.WORKER, 1));

        assertThat(commands())
                .extracting(DeskOutput.Command::job)
                .containsExactly(new JobId("high"));
    }

    /// Trap: tasks of equal priority come in the order of their bytes, or not at all since they cannot be compared.
    @Test
    void tasksOfEqualPriority_goInTheOrderInWhichTheyWereOpened() {
        for (var task : List.of(7, 3, 9, 1)) {
            offer("job", task, 2.5);
        }
        offer("job", 0, 3);
        put(new DeskInput.Joined(WorkerProfile.of(Samples.WORKER, List.of("work"), 10)));

        put(new DeskInput.Asked(1, Samples.WORKER, 10));

        assertThat(grants()).extracting(JobCommand.Grant::task).containsExactly(0, 1, 3, 7, 9);
    }

    @Test
    void aWorkerNeverGetsMoreThanItHasRoomFor() {
        IntStream.range(0, 10).forEach(task -> offer("j", task, 0));
        put(new DeskInput.Joined(Samples.PROFILE));

        put(new DeskInput.Asked(1, Samples.WORKER, 8));
        put(new DeskInput.Asked(2, Samples.WORKER, 8));

        assertThat(grants()).hasSize(2);
    }

    @Test
    void theHandOutOfAnAsk_waitsForAllItsGrants() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new DeskInput.Joined(Samples.PROFILE));
        put(new DeskInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        outputs.clear();

        hold(granted.get(0));
        assertThat(outputs).isEmpty();
        hold(granted.get(1));

        assertThat(outputs)
                .singleElement()
                .isInstanceOfSatisfying(
                        DeskOutput.HandOuts.class, out -> assertThat(out.tasks()).hasSize(2));
    }

    @Test
    void aGrantForAnAskThatIsOver_comesBackAsNotReceived() {
        offer("a", 0, 0);
        put(new DeskInput.Joined(Samples.PROFILE));
        put(new DeskInput.Asked(1, Samples.WORKER, 8));
        var granted = commands().getFirst();
        put(new DeskInput.Withdrawn(1));
        outputs.clear();

        hold(granted);

        assertThat(commands())
                .singleElement()
                .extracting(DeskOutput.Command::command)
                .isInstanceOfSatisfying(
                        JobCommand.EndLease.class,
                        end ->
                                assertThat(end.reason())
                                        .isEqualTo(LeaseEnding.Returned.NOT_RECEIVED));
    }

    @Test
    void aRevokedLease_keepsItsSlotUntilTheWorkerIsRidOfIt() {
        offer("a", 0, 0);
        put(new DeskInput.Joined(Samples.PROFILE));
        put(new DeskInput.Asked(1, Samples.WORKER, 8));
        var lease = leaseOf((JobCommand.Grant) commands().getFirst().command());
        hold(commands().getFirst());
        var revoke = new Effect.Revoke(new EffectId(9, 0), 0, lease, Samples.TASK);

        put(new DeskInput.Effects(new JobId("a"), List.of(revoke), List.of(holdOf("a", lease))));
        assertThat(desk.view().slots().get(Samples.WORKER)).containsExactly(lease.token());

        put(new DeskInput.Effects(new JobId("a"), List.of(), List.of(revoke)));
        assertThat(desk.view().slots().get(Samples.WORKER)).isEmpty();
    }

    @Test
    void aLeaseRevokedWithItsGrant_isReturned_andTheOthersOfItsAskAreHandedOut() {
        offer("a", 0, 0);
        offer("b", 0, 0);
        put(new DeskInput.Joined(Samples.PROFILE));
        put(new DeskInput.Asked(1, Samples.WORKER, 8));
        var granted = commands();
        var lease = leaseOf((JobCommand.Grant) granted.get(0).command());
        var revoke = new Effect.Revoke(new EffectId(9, 0), 0, lease, Samples.TASK);
        hold(granted.get(1));
        outputs.clear();

        put(new DeskInput.Effects(granted.get(0).job(), List.of(revoke), List.of()));

        assertThat(outputs).hasAtLeastOneElementOfType(DeskOutput.HandOuts.class);
        assertThat(outputs).doesNotHaveAnyElementsOfTypes(DeskOutput.Revoked.class);
        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).reason())
                .isEqualTo(LeaseEnding.Returned.NOT_RECEIVED);
        assertThat(desk.view().reserved()).isZero();
    }

    @Test
    void aLeaseThatIsNotRenewed_ends_andOneThatIs_does_not() {
        var kept = recovered("kept");
        var lost = recovered("lost");
        put(new DeskInput.Renewed(Samples.WORKER, List.of(lost), Duration.ofMinutes(10)));
        now = now.plus(TERM);

        put(new DeskInput.Tick());

        assertThat(commands())
                .singleElement()
                .satisfies(command -> {
                    assertThat(command.job()).isEqualTo(new JobId("lost"));
                    assertThat(((JobCommand.EndLease) command.command()).reason())
                            .isEqualTo(LeaseEnding.Lost.EXPIRED);
                });
        assertThat(desk.view().leases()).contains(kept);
    }

    /// Trap: the clock is set back by an hour, and the task of a dead worker is with nobody for an hour.
    @Test
    void aClockThatIsSetBack_makesNoLeaseLonger() {
        var lease = recovered("a");
        now = now.minus(Duration.ofHours(1));
        outputs.clear();
        put(new DeskInput.Renewed(Samples.WORKER, List.of(lease), Duration.ofMinutes(10)));
        now = now.plus(TERM).minusMillis(1);
        put(new DeskInput.Tick());
        assertThat(outputs).isEmpty();

        now = now.plusMillis(1);
        put(new DeskInput.Tick());

        assertThat(commands())
                .singleElement()
                .extracting(command -> ((JobCommand.EndLease) command.command()).token())
                .isEqualTo(lease);
    }

    /// Trap: the end of a lease gets lost, the clock is set back, and nobody asks for it again.
    @Test
    void anEndThatGotLost_isAskedForAgainAfterATerm_alsoIfTheClockIsSetBack() {
        var lease = recovered("a");
        now = now.plus(TERM);
        put(new DeskInput.Tick());
        outputs.clear();
        now = now.minus(Duration.ofHours(1));
        put(new DeskInput.Tick());
        assertThat(outputs).isEmpty();

        now = now.plus(TERM);
        put(new DeskInput.Tick());

        assertThat(commands()).hasSize(1);
        assertThat(desk.view().expiries().get(lease)).isEqualTo(now.minus(TERM));
    }

    /// Trap: a worker that lives keeps the slot of an attempt that it was told to give up for ever.
    @Test
    void aRevokedLease_isNotRenewedWithTheOthers_andEndsWithItsTerm() {
        var lease = leaseRecovered("a");
        put(revoked("a", lease));
        put(new DeskInput.Renewed(Samples.WORKER, List.of(), Duration.ofMinutes(10)));
        now = now.plus(TERM);
        outputs.clear();

        put(new DeskInput.Tick());

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
                new DeskInput.RenewedOnly(
                        1, Samples.WORKER, List.of(lease.token()), Duration.ofDays(1)));
        now = now.plus(TERM);
        outputs.clear();

        put(new DeskInput.Tick());
        assertThat(outputs).isEmpty();

        now = lease.timeout();
        put(new DeskInput.Tick());
        assertThat(commands()).hasSize(1);
    }

    @Test
    void whoeverListens_hearsOfTheLeasesFromBefore() {
        var live = leaseRecovered("live");
        var over = leaseRecovered("over");
        put(revoked("over", over));
        assertThat(held()).containsExactly(live.token(), over.token());
        outputs.clear();

        put(new DeskInput.Listened());

        assertThat(held()).containsExactly(live.token());
        assertThat(outputs).contains(new DeskOutput.Revoked(Samples.WORKER, over.token()));
    }

    private List<LeaseToken> held() {
        return outputs.stream()
                .filter(DeskOutput.Held.class::isInstance)
                .map(output -> ((DeskOutput.Held) output).task().lease().token())
                .toList();
    }

    private static DeskInput revoked(String job, Lease lease) {
        return new DeskInput.Effects(
                new JobId(job),
                List.of(
                        new Effect.Revoke(
                                new EffectId(9, 0),
                                0,
                                lease,
                                Samples.offer(0, 0, Samples.NOW).spec())),
                List.of(holdOf(job, lease)));
    }

    private LeaseToken recovered(String job) {
        return leaseRecovered(job).token();
    }

    private Lease leaseRecovered(String job) {
        var token = LeaseToken.mint(new JobId(job), 0, 1, 5);
        var lease = new Lease(token, Samples.WORKER, 1, now.plus(TERM.multipliedBy(20)));
        put(new DeskInput.Effects(new JobId(job), List.of(holdOf(job, lease)), List.of()));
        return lease;
    }

    private void offer(String job, int task, double priority) {
        var offer = Samples.offer(task, priority, now);
        put(new DeskInput.Effects(new JobId(job), List.of(offer), List.of()));
    }

    private void hold(DeskOutput.Command granted) {
        var grant = (JobCommand.Grant) granted.command();
        var hold = holdOf(granted.job().value(), leaseOf(grant));
        put(new DeskInput.Effects(granted.job(), List.of(hold), List.of()));
    }

    private Lease leaseOf(JobCommand.Grant grant) {
        return new Lease(grant.token(), grant.worker(), 1, now.plus(TERM.multipliedBy(5)));
    }

    private static Effect.HoldLease holdOf(String job, Lease lease) {
        var spec = Samples.offer(0, 0, Samples.NOW).spec();
        return new Effect.HoldLease(new EffectId(job.length(), 0), 0, lease, spec, 0);
    }

    private List<DeskOutput.Command> commands() {
        return outputs.stream()
                .filter(DeskOutput.Command.class::isInstance)
                .map(DeskOutput.Command.class::cast)
                .toList();
    }

    private List<JobCommand.Grant> grants() {
        return commands().stream()
                .map(DeskOutput.Command::command)
                .map(JobCommand.Grant.class::cast)
                .toList();
    }

    private void put(DeskInput input) {
        desk.on(input, now, outputs::add);
    }
}
