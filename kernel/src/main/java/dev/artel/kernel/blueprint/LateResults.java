package dev.artel.kernel.blueprint;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/// How tasks or children ended, each read on demand and not cached: however large the results are, only
/// those that a handler holds are in memory.
public final class LateResults<T> extends AbstractList<T> implements RandomAccess {
    private final int size;
    private final IntFunction<T> results;

    /// `size` results, which `results` gives by their index.
    public LateResults(int size, IntFunction<T> results) {
        this.size = size;
        this.results = results;
    }

    @Override
    public T get(int index) {
        return results.apply(Objects.checkIndex(index, size));
    }

    @Override
    public int size() {
        return size;
    }
}
