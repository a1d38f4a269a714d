package dev.artel.simulation.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.store.codec.JsonEventCodec;
import org.junit.jupiter.api.Test;

final class CampaignTest {
    private final JsonEventCodec codec = new JsonEventCodec();

    @Test
    void scenariosTakeTheSameCourse_howeverManyArePlayedAtATime() throws InterruptedException {
        var alone = new Campaign(CampaignTest::small, codec, 100, 8).run(1);
        var together = new Campaign(CampaignTest::small, codec, 100, 8).run(3);

        assertThat(together.sum()).isEqualTo(alone.sum());
        assertThat(together.failure()).isEmpty();
        assertThat(together.processorSeconds()).isPositive();
    }

    @Test
    void theLowestSeedThatFails_isReported_whicheverThreadIsFirst() throws InterruptedException {
        var alone = campaignWithABug().run(1);
        var together = campaignWithABug().run(3);

        assertThat(together.failure().orElseThrow())
                .hasMessage(alone.failure().orElseThrow().getMessage());
    }

    private static Scenario small(long seed) {
        return Scenario.of(seed).withJobs(2);
    }

    private Campaign campaignWithABug() {
        return new Campaign(seed -> small(seed).with(Mutant.LEAKED_SLOT), codec, 0, 40);
    }
}
