package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.attempt.LeaseEnd;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import dev.artel.kernel.job.JobCommand;
import dev.artel.kernel.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// What a coordinator keeps of an attempt whose worker waits for an answer.
final class ParkedLeaseTest {
    private static final Duration TERM = Duration.ofSeconds(30);
    private static final JobId JOB = new JobId("asking");

    private final CoordinatorCore coordinator = new CoordinatorCore(TERM, new SplittableRandom(7));
    private final List<CoordinatorOutput> outputs = new ArrayList<>();
    private final Lease lease =
            new Lease(
                    LeaseToken.mint(JOB, 0, 1, 5),
                    Samples.WORKER,
                    1,
                    Samples.NOW.plus(TERM.multipliedBy(5)));
    private final Effect.HoldLease held =
            new Effect.HoldLease(new EffectId(3, 0), 0, lease, Samples.TASK, "blueprint", 0);
    private final Effect.HoldParked parked = new Effect.HoldParked(new EffectId(4, 0), 0, lease);
    private Instant now = Samples.NOW;
    private Instant steady = Samples.NOW;

    private void effects(List<Effect.Indexed> asked, List<Effect.Indexed> ended) {
        put(new CoordinatorInput.Effects(JOB, asked, ended));
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

    private void park() {
        effects(List.of(held), List.of());
        effects(List.of(parked), List.of(held));
        outputs.clear();
    }

    private List<JobCommand> commands() {
        return outputs.stream()
                .filter(CoordinatorOutput.Command.class::isInstance)
                .map(output -> ((CoordinatorOutput.Command) output).command())
                .toList();
    }

    private List<LeaseToken> slots() {
        return coordinator.view().slots().values().stream().flatMap(Collection::stream).toList();
    }

    @Test
    void itTakesUpNoSlot_andDoesNotExpire() {
        park();

        pass(Duration.ofDays(9));
        put(new CoordinatorInput.Tick(steady));

        assertThat(outputs).isEmpty();
        assertThat(slots()).isEmpty();
        assertThat(coordinator.holds(JOB, parked)).isTrue();
        assertThat(coordinator.holds(JOB, held)).isFalse();
    }

    @Test
    void itsWorkerNeitherRenewsNorLosesIt_byNamingItOrNot() {
        park();

        put(new CoordinatorInput.RenewedOnly(1, Samples.WORKER, List.of(lease.token()), TERM));
        put(new CoordinatorInput.Renewed(Samples.WORKER, List.of(lease.token()), TERM));
        pass(TERM.multipliedBy(2));
        put(new CoordinatorInput.Tick(steady));

        assertThat(outputs).containsExactly(new CoordinatorOutput.NotHeld(1, List.of()));
        assertThat(commands()).isEmpty();
    }

    @Test
    void itEndsWithItsWorker() {
        park();

        put(new CoordinatorInput.Left(Samples.WORKER, LeaseEnd.Lost.WORKER_GONE));

        assertThat(commands())
                .containsExactly(
                        new JobCommand.EndLease(0, lease.token(), LeaseEnd.Lost.WORKER_GONE, now));
    }

    @Test
    void withItsAnswer_itLivesAFreshTerm_andHasASlotAgain() {
        park();
        pass(Duration.ofDays(2));
        var again = new Lease(lease.token(), lease.worker(), 1, now.plus(TERM.multipliedBy(5)));
        var goesOn =
                new Effect.HoldLease(
                        new EffectId(5, 0), 0, again, held.spec(), "blueprint", held.priority());

        effects(List.of(goesOn), List.of(parked));

        assertThat(slots()).containsExactly(lease.token());
        assertThat(coordinator.holds(JOB, goesOn)).isTrue();
        pass(TERM);
        assertThat(commands())
                .containsExactly(
                        new JobCommand.EndLease(0, lease.token(), LeaseEnd.Lost.EXPIRED, now));
    }

    /// Trap: its worker is gone and its answer comes before its end is durable, and the conversation, which has forgotten it, learns of it
    /// again, and never of its end: with a worker that lists nothing it takes up a slot for good.
    @Test
    void anAnswerAfterItsEndWasAskedFor_isNotReportedAsLive() {
        park();
        put(new CoordinatorInput.Left(Samples.WORKER, LeaseEnd.Lost.WORKER_GONE));
        assertThat(outputs).contains(new CoordinatorOutput.Lost(Samples.WORKER, lease.token()));
        outputs.clear();
        var goesOn =
                new Effect.HoldLease(
                        new EffectId(5, 0), 0, lease, held.spec(), "blueprint", held.priority());

        effects(List.of(goesOn), List.of(parked));
        var parkedAgain = new Effect.HoldParked(new EffectId(6, 0), 0, lease);
        effects(List.of(parkedAgain), List.of(goesOn));
        var goesOnAgain =
                new Effect.HoldLease(
                        new EffectId(7, 0), 0, lease, held.spec(), "blueprint", held.priority());
        effects(List.of(goesOnAgain), List.of(parkedAgain));

        assertThat(outputs).noneMatch(CoordinatorOutput.Held.class::isInstance);

        effects(List.of(), List.of(goesOnAgain));
        effects(List.of(goesOn), List.of());
        assertThat(outputs).anyMatch(CoordinatorOutput.Held.class::isInstance);
    }

    /// As when the coordinator has missed what happened in between.
    @Test
    void allThatIsPending_makesItParked_andHeldAgain() {
        effects(List.of(held), List.of());

        put(new CoordinatorInput.AllPending(JOB, List.of(parked)));
        assertThat(slots()).isEmpty();
        assertThat(coordinator.holds(JOB, parked)).isTrue();

        put(new CoordinatorInput.AllPending(JOB, List.of(held)));
        assertThat(slots()).containsExactly(lease.token());
        assertThat(coordinator.holds(JOB, held)).isTrue();
    }

    @Test
    void itsRevocation_lingersUntilItsTimeIsOver() {
        park();
        var revoke = new Effect.Revoke(new EffectId(6, 0), 0, lease, held.spec(), "blueprint");

        effects(List.of(revoke), List.of(parked));

        assertThat(outputs).contains(new CoordinatorOutput.Revoked(Samples.WORKER, lease.token()));
        assertThat(coordinator.holds(JOB, revoke)).isTrue();
        pass(Duration.between(now, lease.timeout()));
        put(new CoordinatorInput.Tick(steady));
        assertThat(commands()).isNotEmpty();
    }
}
