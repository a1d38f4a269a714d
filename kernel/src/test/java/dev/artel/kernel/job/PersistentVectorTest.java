package dev.artel.kernel.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PersistentVectorTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 31, 32, 33, 1023, 1024, 1025, 32_767, 32_768, 32_769})
    void aVectorOfAnySize_isTheListOfItsElements(int size) {
        var vector = of(size);

        assertThat(vector.size()).isEqualTo(size);
        assertThat(vector.stream().toList()).isEqualTo(IntStream.range(0, size).boxed().toList());
        assertThat(vector.toString()).isEqualTo(IntStream.range(0, size).boxed().toList() + "");
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 33, 1024, 1025, 32_768, 32_769})
    void aChange_leavesTheOldVectorAsItWas(int size) {
        var before = of(size);

        for (var index : List.of(0, 31, size / 2, size - 1)) {
            var after = before.set(index, -1);
            assertThat(after.get(index)).isEqualTo(-1);
            assertThat(before.get(index)).isEqualTo(index);
            assertThat(after).isNotEqualTo(before);
            assertThat(after.set(index, index)).isEqualTo(before).hasSameHashCodeAs(before);
        }
        assertThat(before.append(7).size()).isEqualTo(size + 1);
        assertThat(before.size()).isEqualTo(size);
    }

    @Test
    void twoVectorsFromOne_doNotSeeEachOther() {
        var root = of(32);
        var one = root.append(1);
        var two = root.append(2);

        assertThat(one.get(32)).isEqualTo(1);
        assertThat(two.get(32)).isEqualTo(2);
    }

    @Test
    void aChange_copiesOnlyThePathToTheElement() {
        var before = of(32_769);

        var after = before.set(20_000, -1);

        assertThat(PersistentVectorNodes.copied(before, after)).isEqualTo(4);
    }

    @Test
    void anIndexOutside_isRefused() {
        var vector = of(3);

        for (var index : List.of(-1, 3, 32)) {
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> vector.get(index));
            assertThatExceptionOfType(IndexOutOfBoundsException.class)
                    .isThrownBy(() -> vector.set(index, 0));
        }
    }

    @Test
    void anIteratorAtItsEnd_reportsIt() {
        var iterator = of(1).iterator();
        iterator.next();

        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(iterator::next)
                .withMessage("the vector has 1 elements");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 32, 33, 1024, 1025, 32_768, 32_769, 32_801})
    void withoutItsLastElement_itIsTheVectorOfBefore(int size) {
        var less = of(size - 1);

        var cut = of(size).withoutLast();

        assertThat(cut).isEqualTo(less).hasSize(size - 1);
        assertThat(PersistentVectorNodes.depth(cut)).isEqualTo(PersistentVectorNodes.depth(less));
        assertThat(cut.append(7).append(8)).isEqualTo(less.append(7).append(8));
        assertThat(of(size).getLast()).isEqualTo(size - 1);
    }

    @Test
    void anEmptyVector_hasNoLastElement() {
        assertThat(of(1).withoutLast().isEmpty()).isTrue();
        assertThatExceptionOfType(NoSuchElementException.class)
                .isThrownBy(of(0)::withoutLast)
                .withMessage("the vector has no element to take away");
        assertThatExceptionOfType(NoSuchElementException.class).isThrownBy(of(0)::getLast);
    }

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 20) : LongStream.of(one);
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void itBehavesLikeAnArrayList(long seed) {
        var random = new SplittableRandom(seed);
        var vector = PersistentVector.<Integer>empty();
        var model = new ArrayList<Integer>();
        for (var i = 0; i < 2_000; i++) {
            if (!model.isEmpty() && random.nextInt(5) == 0) {
                vector = vector.withoutLast();
                model.removeLast();
            } else if (model.isEmpty() || random.nextInt(3) > 0) {
                vector = vector.append(i);
                model.add(i);
            } else if (random.nextInt(4) == 0) {
                var more = IntStream.range(0, random.nextInt(100)).boxed().toList();
                vector = vector.appendAll(more);
                model.addAll(more);
            } else {
                var index = random.nextInt(model.size());
                vector = vector.set(index, i);
                model.set(index, i);
            }
        }

        assertThat(vector.stream().toList()).isEqualTo(model);
        assertThat(vector.hashCode()).isEqualTo(model.hashCode());
    }

    private static PersistentVector<Integer> of(int size) {
        var vector = PersistentVector.<Integer>empty();
        for (var i = 0; i < size; i++) {
            vector = vector.append(i);
        }
        return vector;
    }
}
