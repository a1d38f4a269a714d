package dev.artel.engine.core.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
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
        long bits;

        Numbered(int number, long bits) {
            this.number = number;
            this.bits = bits;
        }

        @Override
        public int compareTo(Numbered other) {
            return Integer.compare(number, other.number);
        }
    }

    @ParameterizedTest(name = "-Dseed={0}")
    @MethodSource("seeds")
    void nodesAreFoundInOrder_byTheirBits(long seed) {
        var random = new SplittableRandom(seed);
        var tree = new BitTree<Numbered>();
        var all = new ArrayList<Numbered>();
        for (var step = 0; step < STEPS; step++) {
            var some = all.isEmpty() ? null : all.get(random.nextInt(all.size()));
            switch (random.nextInt(some == null ? 1 : 4)) {
                case 0, 1 -> {
                    var added = new Numbered(step * 7_919 % 10_007, bits(random));
                    tree.add(added, added.bits);
                    all.add(added);
                }
                case 2 -> {
                    tree.remove(some);
                    all.remove(some);
                }
                default -> {
                    some.bits = bits(random);
                    tree.change(some, some.bits);
                }
            }
            var wanted = bits(random);
            assertThat(found(tree, wanted)).isEqualTo(looked(all, wanted));
            assertThat(tree.isEmpty()).isEqualTo(all.isEmpty());
            assertThat(tree.bits())
                    .isEqualTo(all.stream().mapToLong(it -> it.bits).reduce(0, (a, b) -> a | b));
            assertThat(tree.first())
                    .isSameAs(all.stream().min(Comparator.naturalOrder()).orElse(null));
        }
    }

    private static long bits(SplittableRandom random) {
        return 1L << random.nextInt(64) | (random.nextBoolean() ? 1L << random.nextInt(64) : 0);
    }

    private static List<Integer> found(BitTree<Numbered> tree, long bits) {
        var found = new ArrayList<Integer>();
        for (var node = tree.first(bits); node != null; node = tree.next(node, bits)) {
            found.add(node.number);
        }
        return found;
    }

    private static List<Integer> looked(List<Numbered> all, long bits) {
        return all.stream()
                .filter(it -> (it.bits & bits) != 0)
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
            nodes.add(new Numbered(number, 1));
            tree.add(nodes.getLast(), 1);
        }

        assertThat(tree.depth()).isLessThan(100);
        nodes.subList(0, 99_990).forEach(tree::remove);

        assertThat(found(tree, -1)).hasSize(10).startsWith(99_990);
    }
}
