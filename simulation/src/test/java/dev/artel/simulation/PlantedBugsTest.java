package dev.artel.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.store.codec.JsonEventCodec;
import dev.artel.testkit.sim.Mutant;
import dev.artel.testkit.sim.Scenario;
import dev.artel.testkit.sim.Shrinking;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PlantedBugsTest {
    private static final long ENOUGH_FOR_A_BUG = 200;

    private final JsonEventCodec codec = new JsonEventCodec();

    @ParameterizedTest
    @EnumSource
    void everyPlantedBug_isFound(Mutant bug) {
        var failure =
                LongStream.range(0, ENOUGH_FOR_A_BUG)
                        .mapToObj(seed -> Shrinking.failureOf(Scenario.of(seed).with(bug), codec))
                        .flatMap(Optional::stream)
                        .findFirst();

        assertThat(failure)
                .as("a scenario of the first %d in which %s shows", ENOUGH_FOR_A_BUG, bug)
                .isPresent();
    }
}
