package dev.artel.engine.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.kernel.branch.StepCause;
import dev.artel.kernel.job.Effect;
import dev.artel.kernel.job.EffectId;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class EffectIdsTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 3", "3, 0", "1, 2", "8, 8", "9, 5", "5, 9", "300, 1000"})
    void whatIsAbsent_isFoundAmongFewAndMany(int size, int others) {
        var ids = new EffectIds(steps(0, 2, size));
        var among = steps(1, 3, others);

        var expected =
                among.stream().filter(effect -> !isKnown(effect.id().event(), size)).toList();
        assertThat(ids.absentFrom(among)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"0", "3", "8", "9", "100"})
    void itsOwn_areContained(int size) {
        var ids = new EffectIds(steps(0, 2, size));

        assertThat(IntStream.range(0, 2 * size + 2))
                .allSatisfy(event ->
                        assertThat(ids.contains(new EffectId(event, 0)))
                                .isEqualTo(isKnown(event, size)));
        assertThat(ids.contains(new EffectId(0, 1))).isFalse();
    }

    /// Whether it is among the first `size` even numbers.
    private static boolean isKnown(long event, int size) {
        return event % 2 == 0 && event < 2L * size;
    }

    private static List<Effect> steps(int first, int distance, int size) {
        return IntStream.range(0, size)
                .<Effect>mapToObj(i ->
                        new Effect.RunStep(
                                new EffectId(first + (long) i * distance, 0),
                                0,
                                "state",
                                new StepCause.Started(),
                                1))
                .toList();
    }
}
