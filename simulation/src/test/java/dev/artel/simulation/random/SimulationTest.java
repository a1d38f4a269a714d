package dev.artel.simulation.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Scenario;
import dev.artel.simulation.world.Trait;
import dev.artel.store.codec.JsonEventCodec;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SimulationTest {
    /// More of them are for `./artel soak`.
    private static final long SEEDS = Long.getLong("seeds", 50);

    private final JsonEventCodec codec = new JsonEventCodec();

    @Test
    void everyScenario_keepsEveryPromise() {
        var sum = RunStats.NOTHING;

        for (var seed = 0; seed < SEEDS; seed++) {
            sum = sum.plus(Simulation.run(Scenario.of(seed), codec));
        }

        assertThat(sum.jobs()).isGreaterThan(SEEDS);
        // Of many children many are stopped when the others are enough, or cannot be.
        assertThat(sum.finished()).isGreaterThan(sum.jobs() * 2 / 5);
        assertThat(sum.crashes()).isGreaterThan(SEEDS / 2);
    }

    /// Scenarios in which something was found once.
    @ParameterizedTest
    @ValueSource(
            longs = {
                16,
                146,
                1_072,
                1_331,
                1_746,
                3_807,
                50_465,
                70_080,
                2_003_172,
                3_700_024,
                8_003_025,
                8_013_562,
                8_019_746,
                11_024_431,
                12_011_173,
                30_000_548,
                30_000_670,
                30_020_225,
                32_005_722,
                32_007_472,
                33_010_994,
                40_000_009,
                40_009_342,
                40_090_277
            })
    void whatOnceWentWrong_goesWell(long seed) {
        assertThat(Simulation.run(Scenario.of(seed), codec).jobs()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {7, 146})
    void theSameScenario_takesTheSameCourse(long seed) {
        var scenario = Scenario.of(seed);

        assertThat(Simulation.run(scenario, codec)).isEqualTo(Simulation.run(scenario, codec));
    }

    @Test
    void halfOfTheScenarios_haveFunctions() {
        var withFunctions =
                LongStream.range(0, SEEDS)
                        .filter(seed -> Scenario.of(seed).traits().contains(Trait.FUNCTIONS))
                        .count();

        assertThat(withFunctions).isBetween(SEEDS * 2 / 5, SEEDS * 3 / 5);
    }

    @Test
    void halfOfTheScenarios_haveCards() {
        var withCards =
                LongStream.range(0, SEEDS)
                        .filter(seed -> Scenario.of(seed).traits().contains(Trait.CARDS))
                        .count();

        assertThat(withCards).isBetween(SEEDS * 2 / 5, SEEDS * 3 / 5);
    }

    @Test
    void aFailure_isShrunkToWhatItNeeds() {
        var failure =
                Shrinking.failureOf(Scenario.of(0).with(Mutant.ANSWER_BEFORE_DURABLE), codec)
                        .orElseThrow();

        var smallest = Shrinking.smallest(failure, codec);

        assertThat(smallest.scenario().traits()).isEmpty();
        assertThat(smallest.scenario().jobs()).isOne();
        assertThat(smallest).hasMessageContaining("seed 0").hasMessageContaining("planted");
    }
}
