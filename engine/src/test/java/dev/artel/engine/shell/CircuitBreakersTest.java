package dev.artel.engine.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.attempt.WorkerId;
import dev.artel.kernel.fleet.Availability;
import dev.artel.kernel.fleet.BreakerPolicy;
import dev.artel.kernel.fleet.CircuitBreaker.State;
import dev.artel.kernel.fleet.Reputation.Outcome;
import dev.artel.kernel.fleet.WorkerProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// What placement sees of workers whose attempts fail.
final class CircuitBreakersTest {
    private static final Instant NOW = Instant.EPOCH;
    private static final WorkerId ONE = new WorkerId("one");
    private static final WorkerProfile PROFILE =
            WorkerProfile.of(ONE, List.of("echo"), 4).over("bus");
    private static final BreakerPolicy POLICY =
            new BreakerPolicy(2, Duration.ofSeconds(10), Duration.ofSeconds(60));

    private final CircuitBreakers breakers = new CircuitBreakers();

    CircuitBreakersTest() {
        breakers.guard(Map.of("bus", POLICY));
    }

    @Test
    void anOpenOne_takesTheAvailability_andAHalfOpenOneAllSlotsButOne() {
        open();

        assertThat(seen(NOW).availability()).isEqualTo(Availability.SUSPENDED);
        assertThat(breakers.open()).isEqualTo(1);
        assertThat(breakers.look(NOW.plusSeconds(9))).isEmpty();
        assertThat(breakers.look(NOW.plusSeconds(10))).containsExactly(ONE);
        assertThat(breakers.look(NOW.plusSeconds(11))).isEmpty();
        assertThat(seen(NOW.plusSeconds(11)).availability()).isEqualTo(Availability.READY);
        assertThat(seen(NOW.plusSeconds(11)).capacity()).isEqualTo(1);

        assertThat(breakers.ended(ONE, Outcome.SUCCEEDED, NOW.plusSeconds(11))).isTrue();

        assertThat(seen(NOW.plusSeconds(11))).isEqualTo(PROFILE);
        assertThat(breakers.opened()).isEqualTo(1);
    }

    @Test
    void aWorkerThatDrainsOrIsUnhealthy_staysSo() {
        open();

        for (var other : List.of(Availability.DRAINING, Availability.UNHEALTHY)) {
            assertThat(breakers.joined(PROFILE.with(other), NOW).availability()).isEqualTo(other);
        }
    }

    @Test
    void workersOnOtherWires_haveNone() {
        breakers.joined(PROFILE.over(WorkerProfile.HTTP), NOW);

        assertThat(breakers.ended(ONE, Outcome.FAILED, NOW)).isFalse();
        assertThat(breakers.ended(ONE, Outcome.FAILED, NOW)).isFalse();
        assertThat(breakers.guardOf(ONE, NOW)).isEmpty();
    }

    /// Trap: an agent that dies with each task comes back with a clean record each time. It is on no wire when it registers.
    @Test
    void aWorkerThatIsLostAndComesBack_keepsItsOwn_alsoBeforeItsWireIsKnown() {
        breakers.joined(PROFILE, NOW);
        breakers.ended(ONE, Outcome.LOST, NOW);
        breakers.left(ONE);
        breakers.joined(PROFILE.over(WorkerProfile.HTTP), NOW);
        breakers.joined(PROFILE, NOW);

        assertThat(breakers.ended(ONE, Outcome.LOST, NOW)).isTrue();

        assertThat(seen(NOW).availability()).isEqualTo(Availability.SUSPENDED);
    }

    @Test
    void aWorkerThatIsGone_isForgottenLater_andAnOperatorClosesTheBreakerAtOnce() {
        open();
        breakers.left(ONE);

        breakers.tidy(Set.of(), NOW);
        assertThat(breakers.find(ONE, NOW).state()).isEqualTo(State.OPEN);
        breakers.tidy(Set.of(ONE), NOW.plusSeconds(3600));
        assertThat(breakers.guardOf(ONE, NOW)).isPresent();
        breakers.tidy(Set.of(), NOW.plusSeconds(3600));
        assertThat(breakers.guardOf(ONE, NOW)).isEmpty();

        open();
        assertThat(breakers.close(ONE)).isTrue();
        assertThat(breakers.close(ONE)).isFalse();
        assertThat(seen(NOW)).isEqualTo(PROFILE);
    }

    private void open() {
        breakers.joined(PROFILE, NOW);
        assertThat(breakers.ended(ONE, Outcome.FAILED, NOW)).isFalse();
        assertThat(breakers.ended(ONE, Outcome.FAILED, NOW)).isTrue();
    }

    private WorkerProfile seen(Instant now) {
        return breakers.joined(PROFILE, now);
    }
}
