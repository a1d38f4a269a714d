package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TaskNumbersTest {
    private static final int MOST = 500_000;

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 50) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void itHoldsWhatASetHolds(long seed) {
        var random = new SplittableRandom(seed);
        var range = 1 << random.nextInt(1, 19);
        var expected = new TreeSet<Integer>();
        var numbers = TaskNumbers.NONE;
        for (var i = 0; i < 500; i++) {
            var number = random.nextInt(range);
            var before = numbers;
            var had = expected.contains(number);
            if (random.nextInt(5) < 3) {
                numbers = numbers.with(number);
                expected.add(number);
            } else {
                numbers = numbers.without(number);
                expected.remove(number);
            }
            assertThat(before.has(number)).as("before").isEqualTo(had);
            assertThat(numbers.has(number)).isEqualTo(expected.contains(number));
            assertThat(numbers.size()).isEqualTo(expected.size());
            var from = random.nextInt(range);
            var next = expected.ceiling(from);
            assertThat(numbers.next(from)).isEqualTo(next == null ? -1 : next);
        }
        var at = -1;
        for (var each : expected) {
            at = numbers.next(at + 1);
            assertThat(at).isEqualTo(each);
        }
        assertThat(numbers.next(at + 1)).isEqualTo(-1);
        for (var each : expected) {
            numbers = numbers.without(each);
        }
        assertThat(numbers).isEqualTo(TaskNumbers.NONE);
    }

    @Test
    void theEdgesOfWordsAndGroups_areFound() {
        for (var number : new int[] {0, 63, 64, 4_095, 4_096, 262_143, 262_144, MOST - 1}) {
            var numbers = TaskNumbers.NONE.with(number).with(MOST);

            assertThat(numbers.next(0)).isEqualTo(number);
            assertThat(numbers.next(number)).isEqualTo(number);
            assertThat(numbers.next(number + 1)).isEqualTo(MOST);
            assertThat(numbers.next(MOST + 1)).isEqualTo(-1);
        }
    }
}
