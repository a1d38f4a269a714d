package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The tree finds what a look at each node of a sorted list finds.
final class BitTreeTest {
    private static final int STEPS = 2_000;

    static LongStream seeds() {
        var one = Long.getLong("seed");
        return one == null ? LongStream.range(0, 20) : LongStream.of(one);
    }

    private static final class Numbered extends BitTree.Node<Numbered> {
        final int number;
        Set<Integer> numbers;
        private Bits own;

        Numbered(int number, Set<Integer> numbers) {
            this.number = number;
            this.numbers = numbers;
            own = bits(numbers);
        }

        void change(Set<Integer> others) {
            numbers = others;
            own = bits(others);
        }

        @Override
        Bits own() {
            return own;
        }

        @Override
        public int compareTo(Numbered other) {
            return Integer.compare(number, other.number);
        }
    }

    private static Bits bits(Set<Integer> numbers) {
        var bits = new Bits();
        numbers.forEach(bits::add);
        return bits;
    }

    private static Set<Integer> some(SplittableRandom random, int size) {
        var some = new TreeSet<Integer>();
        for (var i = random.nextInt(3); i >= 0; i--) {
            some.add(random.nextInt(size));
        }
        return some;
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nodesAreFoundInOrder_byTheirBits(long seed) {
        check(seed, Bits.SIZE);
    }

    /// Where many nodes share a bit, what a node adds to those above it is often there already.
    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nodesAreFoundInOrder_byFewBitsThatManyShare(long seed) {
        check(seed, 6);
    }

    private static void check(long seed, int size) {
        var random = new SplittableRandom(seed);
        var tree = new BitTree<Numbered>();
        var all = new ArrayList<Numbered>();
        for (var step = 0; step < STEPS; step++) {
            var act = all.isEmpty() ? 0 : random.nextInt(5);
            if (act < 2) {
                all.add(new Numbered(step * 7_919 % 10_007, some(random, size)));
                tree.add(all.getLast());
            } else {
                var one = all.get(random.nextInt(all.size()));
                if (act != 2) {
                    one.change(some(random, size));
                }
                if (act == 3) {
                    tree.change(one);
                } else {
                    tree.remove(one);
                    all.remove(one);
                }
            }
            var wanted = some(random, size);
            assertThat(found(tree, bits(wanted))).isEqualTo(looked(all, wanted));
            assertThat(tree.isEmpty()).isEqualTo(all.isEmpty());
            assertThat(tree.first())
                    .isSameAs(all.stream().min(Comparator.naturalOrder()).orElse(null));
        }
        all.forEach(tree::remove);
        assertThat(tree.isEmpty()).isTrue();
    }

    private static List<Integer> found(BitTree<Numbered> tree, Bits bits) {
        var found = new ArrayList<Integer>();
        for (var node = tree.first(bits); node != null; node = tree.next(node, bits)) {
            found.add(node.number);
        }
        return found;
    }

    private static List<Integer> looked(List<Numbered> all, Set<Integer> wanted) {
        return all.stream()
                .filter(it -> it.numbers.stream().anyMatch(wanted::contains))
                .map(it -> it.number)
                .sorted()
                .toList();
    }

    /// Nodes that come in order, as tasks do, must not make a list of it.
    @Test
    void aTreeOfNodesThatComeInOrder_isShallow() {
        var tree = new BitTree<Numbered>();
        var nodes = new ArrayList<Numbered>();
        for (var number = 0; number < 100_000; number++) {
            nodes.add(new Numbered(number, Set.of(1)));
            tree.add(nodes.getLast());
        }

        assertThat(tree.depth()).isLessThan(100);
        nodes.subList(0, 99_990).forEach(tree::remove);

        assertThat(found(tree, bits(Set.of(1)))).hasSize(10).startsWith(99_990);
        assertThat(found(tree, bits(Set.of(2)))).isEmpty();
    }
}
