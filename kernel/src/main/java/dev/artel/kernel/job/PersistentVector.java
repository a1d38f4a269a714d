package dev.artel.kernel.job;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// An immutable list whose changes share structure: `get`, `set` and `append` take logarithmic time (base 32).
/// Iterates in index order.
///
/// The bit-partitioned trie of Bagwell, "Ideal Hash Trees" (2001), as Clojure's vectors use it.
///
/// @param <T> the elements, never null
public final class PersistentVector<T> implements Iterable<T> {
    private static final int BITS = 5;
    private static final int WIDTH = 1 << BITS;
    private static final int MASK = WIDTH - 1;
    private static final PersistentVector<Object> EMPTY =
            new PersistentVector<>(0, BITS, new Object[0]);

    private final int size;
    private final int shift;
    private final Object[] root;

    private PersistentVector(int size, int shift, Object[] root) {
        this.size = size;
        this.shift = shift;
        this.root = root;
    }

    /// The vector without elements.
    @SuppressWarnings("unchecked") // it has no element of any type
    public static <T> PersistentVector<T> empty() {
        return (PersistentVector<T>) EMPTY;
    }

    /// The vector of `elements`, in their order.
    public static <T> PersistentVector<T> of(List<? extends T> elements) {
        return PersistentVector.<T>empty().appendAll(elements);
    }

    /// The number of elements.
    public int size() {
        return size;
    }

    /// The element at `index`, from 0.
    ///
    /// @throws IndexOutOfBoundsException if there is none
    @SuppressWarnings("unchecked") // only elements of type T are ever stored in leaves
    public T get(int index) {
        Objects.checkIndex(index, size);
        var node = root;
        for (var level = shift; level > 0; level -= BITS) {
            node = (Object[]) node[index >>> level & MASK];
        }
        return (T) node[index & MASK];
    }

    /// This vector with `value` at `index`.
    ///
    /// @throws IndexOutOfBoundsException if there is no element at `index`
    public PersistentVector<T> set(int index, T value) {
        Objects.checkIndex(index, size);
        return new PersistentVector<>(size, shift, replaced(root, shift, index, value));
    }

    /// This vector with `value` behind its last element.
    public PersistentVector<T> append(T value) {
        return appendToLeaf(value);
    }

    /// This vector with `values` behind its last element, in their order; the nodes on the way to a leaf are copied once for
    /// all that go into it.
    public PersistentVector<T> appendAll(List<? extends T> values) {
        var vector = this;
        var from = 0;
        while (from < values.size()) {
            var upTo = Math.min(values.size(), from + WIDTH - (vector.size & MASK));
            vector = vector.appendToLeaf(values.subList(from, upTo).toArray());
            from = upTo;
        }
        return vector;
    }

    /// @param values no more than fit into the leaf of the next element
    private PersistentVector<T> appendToLeaf(Object... values) {
        var more = size + values.length;
        if (size == 1 << (shift + BITS)) {
            var higher = new Object[] {root, new Object[0]};
            return new PersistentVector<>(
                    more, shift + BITS, replaced(higher, shift + BITS, size, values));
        }
        return new PersistentVector<>(more, shift, replaced(root, shift, size, values));
    }

    /// `node` with `values` from `index` on, all of them in one leaf.
    private static Object[] replaced(Object[] node, int level, int index, Object... values) {
        var slot = index >>> level & MASK;
        var last = level == 0 ? slot + values.length : slot + 1;
        var copy = last <= node.length ? node.clone() : Arrays.copyOf(node, last);
        if (level > 0) {
            var child = copy[slot] instanceof Object[] existing ? existing : new Object[0];
            copy[slot] = replaced(child, level - BITS, index, values);
            return copy;
        }
        for (var value : values) {
            copy[slot++] = Objects.requireNonNull(value);
        }
        return copy;
    }

    /// This vector without its last element.
    ///
    /// @throws NoSuchElementException if it has none
    public PersistentVector<T> withoutLast() {
        if (size == 0) {
            throw new NoSuchElementException("the vector has no element to take away");
        }
        var less = size - 1;
        var rest = cut(root, shift, less);
        return shift > BITS && less == 1 << shift
                ? new PersistentVector<>(less, shift - BITS, (Object[]) rest[0])
                : new PersistentVector<>(less, shift, rest);
    }

    /// `node` up to the element before `index`, the last one: nothing stays behind it, so that equal vectors have equal nodes.
    private static Object[] cut(Object[] node, int level, int index) {
        var slot = index >>> level & MASK;
        if (level == 0 || (index & (1 << level) - 1) == 0) {
            return Arrays.copyOf(node, slot);
        }
        var copy = Arrays.copyOf(node, slot + 1);
        copy[slot] = cut((Object[]) node[slot], level - BITS, index);
        return copy;
    }

    /// The last element.
    ///
    /// @throws NoSuchElementException if there is none
    public T getLast() {
        if (size == 0) {
            throw new NoSuchElementException("the vector has no last element");
        }
        return get(size - 1);
    }

    /// Whether it has no elements.
    public boolean isEmpty() {
        return size == 0;
    }

    /// The elements in order.
    public Stream<T> stream() {
        return StreamSupport.stream(spliterator(), false);
    }

    @Override
    public Iterator<T> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public T next() {
                if (next >= size) {
                    throw new NoSuchElementException("the vector has " + size + " elements");
                }
                return get(next++);
            }
        };
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof PersistentVector<?> that) || that.size != size) {
            return false;
        }
        for (var i = 0; i < size; i++) {
            if (!get(i).equals(that.get(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        var hash = 1;
        for (var element : this) {
            hash = 31 * hash + element.hashCode();
        }
        return hash;
    }

    @Override
    public String toString() {
        return stream().toList().toString();
    }
}
