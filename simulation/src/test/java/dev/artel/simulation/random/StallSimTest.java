package dev.artel.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.Trait;
import dev.artel.store.codec.JsonEventCodec;
import java.util.EnumSet;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The watch over stuck jobs finds each way in which a wake-up can get lost; that it is silent where nothing is wrong
/// is looked at in each simulation.
@Tag("long")
final class StallSimTest {
    private static final long SEEDS = 40;

    /// The rarest is a lease that is forgotten in a recovery.
    private static final long ENOUGH = 200;

    private final JsonEventCodec codec = new JsonEventCodec();

    @ParameterizedTest
    @EnumSource(
            names = {
                "LOST_WAKE_UP",
                "LEAKED_SLOT",
                "PENDING_NOT_REPEATED",
                "TIMERS_DROPPED_ON_RECOVERY",
                "LEASES_FORGOTTEN_ON_RECOVERY",
                "LINGERING_FORGOTTEN_ON_RECOVERY",
                "WINDOW_NOT_ADVANCED",
                "REVOKED_LEASE_FREES_SLOT",
                "TIMERS_UNHEARD",
                "SIGNAL_FORGOTTEN",
                "LEASES_OVERDUE",
                "PARENT_NOT_NOTIFIED",
                "WEBHOOK_FORGOTTEN"
            })
    void everyLostWakeUp_isFound(Mutant bug) {
        var found = 0;
        for (var seed = 0L; seed < ENOUGH && found < 3; seed++) {
            found += Simulation.watch(Scenario.of(seed).with(bug), codec).isEmpty() ? 0 : 1;
        }

        assertThat(found).as("runs of the first %d in which %s is found", ENOUGH, bug).isEqualTo(3);
    }

    /// Few children are cancelled because their parent no longer wants them, and fewer go on for long then.
    @Test
    void aChildThatGoesOnUnwanted_isFound() {
        var busyFamilies =
                EnumSet.of(
                        Trait.CHILDREN,
                        Trait.CANCELS,
                        Trait.TASKS_HANG,
                        Trait.WAIT,
                        Trait.APPROVALS,
                        Trait.JOB_DEADLINES);
        var bug = Optional.of(Mutant.CHILD_NOT_STOPPED);

        var found =
                LongStream.range(0, 2 * SEEDS)
                        .mapToObj(seed -> new Scenario(seed, busyFamilies, 30, bug))
                        .anyMatch(scenario -> !Simulation.watch(scenario, codec).isEmpty());

        assertThat(found).isTrue();
    }
}
