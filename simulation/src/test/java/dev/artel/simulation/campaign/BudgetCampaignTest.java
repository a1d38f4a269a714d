package dev.artel.simulation.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.Trait;
import dev.artel.store.codec.JsonEventCodec;
import java.util.EnumSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random jobs with budgets, whose attempts cost something, through crashes of all kinds.
final class BudgetCampaignTest {
    private final JsonEventCodec codec = new JsonEventCodec();

    private static Scenario withBudgets(long seed) {
        var drawn = Scenario.of(seed);
        var traits = EnumSet.copyOf(drawn.traits());
        traits.add(Trait.BUDGETS);
        return new Scenario(seed, traits, 8, Optional.empty());
    }

    @Test
    void jobsKeepToTheirBudgets() throws InterruptedException {
        var course = new Campaign(BudgetCampaignTest::withBudgets, codec, 5_000, 60).run(2);

        assertThat(course.failure()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"BUDGET_FORGOTTEN", "GRANTED_BUDGET_FORGOTTEN", "COST_FORGOTTEN"})
    void aPlantedBug_isFound(Mutant bug) throws InterruptedException {
        var course = new Campaign(seed -> withBudgets(seed).with(bug), codec, 0, 40).run(2);

        assertThat(course.failure()).isPresent();
    }
}
