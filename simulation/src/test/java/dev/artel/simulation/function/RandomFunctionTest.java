package dev.artel.simulation.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.simulation.world.Mutant;
import dev.artel.simulation.world.Trait;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RandomFunctionTest {
    /// More of them are for `./artel soak`.
    private static final long SEEDS = Long.getLong("seeds", 200);

    private static final long ENOUGH_FOR_A_BUG = 300;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aRandomFunction_givesWhatItsCodeGives(long seed) {
        assertThat(new RandomFunction(seed, Optional.empty()).failure()).isEmpty();
    }

    /// Functions with which something was found once.
    @ParameterizedTest
    @ValueSource(longs = {325, 670, 824, 956, 2_162, 4_946, 9_415, 12_754, 16_129, 18_931})
    void whatOnceWentWrong_goesWell(long seed) {
        assertThat(new RandomFunction(seed, Optional.empty()).failure()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void everyPlantedBug_isFound(FunctionMutant bug) {
        assertThat(
                        LongStream.range(0, ENOUGH_FOR_A_BUG)
                                .mapToObj(seed -> new RandomFunction(seed, Optional.of(bug)))
                                .anyMatch(function -> function.failure().isPresent()))
                .as("a function of the first %d in which %s shows", ENOUGH_FOR_A_BUG, bug)
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void everyPlantedBug_canBePlantedInScenarios(FunctionMutant bug) {
        var inScenarios = Mutant.valueOf(bug.name());

        assertThat(FunctionMutant.of(inScenarios)).contains(bug);
        assertThat(inScenarios.needs()).contains(Trait.FUNCTIONS);
    }
}
