package dev.artel.engine.core.dispatch;

import org.jspecify.annotations.Nullable;

/// Nodes in their order, each with some [Bits]. The first node that has one of some bits is found in logarithmic time, however many
/// stand before it that have none. Single-threaded.
///
/// A treap (Seidel and Aragon, 1996) whose nodes know the bits of all below them. The order of a node must not change while it is
/// in the tree. The weights that balance it follow from the number of nodes that came before, so the same calls give the same tree.
@SuppressWarnings("ReferenceEquality") // one node, not an equal one
final class BitTree<N extends BitTree.Node<N>> {
    private @Nullable N root;
    private int lastWeight;

    /// What stands in a tree, in one at a time. As a set it is the bits of all nodes below, and its own.
    abstract static class Node<N extends Node<N>> extends Bits implements Comparable<N> {
        private @Nullable N parent;
        private @Nullable N left;
        private @Nullable N right;
        private int weight;

        /// Its own bits.
        abstract Bits own();
    }

    boolean isEmpty() {
        return root == null;
    }

    /// The bits of all nodes.
    Bits bits() {
        return below(root);
    }

    private Bits below(@Nullable N node) {
        return node == null ? Bits.NONE : node;
    }

    /// The private members of a node are those of this type, not of its own.
    private Node<N> links(N node) {
        return node;
    }

    /// Puts in a node that is in no tree.
    void add(N node) {
        var added = links(node);
        lastWeight = lastWeight * 1_664_525 + 1_013_904_223;
        added.weight = lastWeight;
        var own = node.own();
        node.clear();
        node.add(own);
        if (root == null) {
            root = node;
            return;
        }
        var at = root;
        while (true) {
            at.add(own);
            var links = links(at);
            var isBefore = node.compareTo(at) < 0;
            var next = isBefore ? links.left : links.right;
            if (next == null) {
                added.parent = at;
                if (isBefore) {
                    links.left = node;
                } else {
                    links.right = node;
                }
                break;
            }
            at = next;
        }
        while (added.parent != null && added.weight < links(added.parent).weight) {
            rise(node, added.parent);
        }
    }

    /// Takes out a node that is in this tree, and that may have other bits now.
    void remove(N node) {
        // Those above it know its bits of before, and what follows looks at its present ones.
        sumUp(node);
        var removed = links(node);
        while (removed.left != null && removed.right != null) {
            var isLeft = links(removed.left).weight < links(removed.right).weight;
            rise(isLeft ? removed.left : removed.right, node);
        }
        var child = removed.left != null ? removed.left : removed.right;
        var parent = removed.parent;
        replace(parent, node, child);
        removed.parent = null;
        removed.left = null;
        removed.right = null;
        sumUp(parent);
    }

    /// A node that is in this tree may have other bits now.
    void change(N node) {
        sumUp(node);
    }

    private void sumUp(@Nullable N from) {
        for (var at = from; at != null; at = links(at).parent) {
            if (!sum(at)) {
                return;
            }
        }
    }

    /// Finds out the bits below `node`; whether they are others than before.
    private boolean sum(N node) {
        return node.unite(node.own(), below(links(node).left), below(links(node).right));
    }

    /// `node` and its parent change places.
    private void rise(N node, N parent) {
        var links = links(node);
        var above = links(parent);
        replace(above.parent, parent, node);
        if (above.left == node) {
            above.left = links.right;
            adopt(parent, links.right);
            links.right = parent;
        } else {
            above.right = links.left;
            adopt(parent, links.left);
            links.left = parent;
        }
        above.parent = node;
        sum(parent);
        sum(node);
    }

    private void replace(@Nullable N parent, N child, @Nullable N by) {
        if (parent == null) {
            root = by;
        } else if (links(parent).left == child) {
            links(parent).left = by;
        } else {
            links(parent).right = by;
        }
        adopt(parent, by);
    }

    private void adopt(@Nullable N parent, @Nullable N child) {
        if (child != null) {
            links(child).parent = parent;
        }
    }

    /// The first node; null if there is none.
    @Nullable N first() {
        var at = root;
        while (at != null && links(at).left != null) {
            at = links(at).left;
        }
        return at;
    }

    /// The first node with one of `bits`; null if there is none.
    @Nullable N first(Bits bits) {
        return first(root, bits);
    }

    private @Nullable N first(@Nullable N from, Bits bits) {
        var at = from == null || !from.meets(bits) ? null : from;
        while (at != null) {
            var left = links(at).left;
            if (left != null && left.meets(bits)) {
                at = left;
            } else if (at.own().meets(bits)) {
                return at;
            } else {
                at = links(at).right;
            }
        }
        return null;
    }

    /// The first node after `node` with one of `bits`; null if there is none.
    @Nullable N next(N node, Bits bits) {
        var right = links(node).right;
        if (right != null && right.meets(bits)) {
            return first(right, bits);
        }
        var child = node;
        for (var at = links(node).parent; at != null; at = links(at).parent) {
            var links = links(at);
            if (links.left == child) {
                if (at.own().meets(bits)) {
                    return at;
                }
                if (links.right != null && links.right.meets(bits)) {
                    return first(links.right, bits);
                }
            }
            child = at;
        }
        return null;
    }

    /// How many nodes stand above one another at most; for tests.
    int depth() {
        return depth(root);
    }

    private int depth(@Nullable N from) {
        return from == null ? 0 : 1 + Math.max(depth(links(from).left), depth(links(from).right));
    }
}
