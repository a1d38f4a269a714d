package dev.artel.worker.server.hub;

import java.util.AbstractList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Ids in the order in which they were added. Immutable: one more or one less is another list, which shares with this one all but a few of its
/// parts, so that each message of a worker can have the list of its moment, however long that is. A balanced tree, by the numbers of the ids.
final class PendingIds extends AbstractList<String> {
    /// None.
    static final PendingIds NONE = new PendingIds(null);

    private final @Nullable Node root;

    private PendingIds(@Nullable Node root) {
        this.root = root;
    }

    /// One id, those before it and those behind it.
    private record Node(
            long number, String id, @Nullable Node before, @Nullable Node behind, int size) {
        private Node(long number, String id, @Nullable Node before, @Nullable Node behind) {
            this(number, id, before, behind, 1 + sizeOf(before) + sizeOf(behind));
        }

        private static int sizeOf(@Nullable Node node) {
            return node == null ? 0 : node.size;
        }

        private Node with(@Nullable Node otherBefore, @Nullable Node otherBehind) {
            return new Node(number, id, otherBefore, otherBehind);
        }

        /// Nearer to the root is what has more of it: as good as random, and the same for the same number.
        private long height() {
            var mixed = number * 0x9E3779B97F4A7C15L;
            mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
            return mixed ^ (mixed >>> 31);
        }
    }

    /// These and one more.
    ///
    /// @param number larger than those of all that were added before
    PendingIds with(long number, String id) {
        return new PendingIds(joined(root, new Node(number, id, null, null)));
    }

    /// These without the one of `number`.
    PendingIds without(long number) {
        return new PendingIds(without(root, number));
    }

    private static @Nullable Node without(@Nullable Node node, long number) {
        if (node == null) {
            return null;
        }
        if (number == node.number) {
            return joined(node.before, node.behind);
        }
        return number < node.number
                ? node.with(without(node.before, number), node.behind)
                : node.with(node.before, without(node.behind, number));
    }

    private static @Nullable Node joined(@Nullable Node first, @Nullable Node second) {
        if (first == null) {
            return second;
        }
        if (second == null) {
            return first;
        }
        return first.height() > second.height()
                ? first.with(first.before, joined(first.behind, second))
                : second.with(joined(first, second.before), second.behind);
    }

    @Override
    public String get(int index) {
        Objects.checkIndex(index, size());
        var left = index;
        var node = Objects.requireNonNull(root);
        while (true) {
            var before = Node.sizeOf(node.before);
            if (left == before) {
                return node.id;
            }
            if (left < before) {
                node = Objects.requireNonNull(node.before);
            } else {
                left -= before + 1;
                node = Objects.requireNonNull(node.behind);
            }
        }
    }

    @Override
    public int size() {
        return Node.sizeOf(root);
    }
}
