package dev.artel.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.simulation.world.Mutant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Recovery that works most of the time is one that nobody has killed at the wrong moment yet: here, for each feature,
/// every moment between two appends is one.
final class KilledAtEachAppendTest {
    private static final long SEED = 1;

    @ParameterizedTest
    @EnumSource
    void anOrchestratorThatIsKilledAtAnyAppend_makesNoDifference(Feature feature) {
        var kills = feature.simulation().killedAtEachAppend(SEED);

        assertThat(kills).isGreaterThanOrEqualTo(4);
    }

    @ParameterizedTest
    @EnumSource(
            mode = EnumSource.Mode.INCLUDE,
            names = {
                "STEP_BEFORE_COMMIT",
                "HAND_OUT_BEFORE_COMMIT",
                "ACKNOWLEDGED_BEFORE_SYNC",
                "TIMERS_DROPPED_ON_RECOVERY",
                "LEASES_FORGOTTEN_ON_RECOVERY"
            })
    void anEffectBeforeItsCommitOrForgottenAfterIt_makesADifference(Mutant bug) {
        assertThatThrownBy(() ->
                        Feature.EXECUTION_TIMEOUT.simulation().mutant(bug).killedAtEachAppend(SEED))
                .hasMessageContaining(bug.name());
    }

    @Test
    void aDifference_isReportedWithItsFeatureAndItsAppend() {
        assertThatThrownBy(() ->
                        Feature.EXECUTION_TIMEOUT
                                .simulation()
                                .mutant(Mutant.LEASES_FORGOTTEN_ON_RECOVERY)
                                .killedAtEachAppend(SEED))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("timeout: an orchestrator that is killed")
                .hasMessageContaining("append");
    }
}
