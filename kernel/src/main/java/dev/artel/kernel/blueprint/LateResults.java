package dev.artel.kernel.blueprint;

import dev.artel.kernel.task.TaskResult;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.IntFunction;

/// How tasks ended, each read when somebody asks for it and kept by nobody: however large the results are, only those
/// that a handler holds are in memory.
public final class LateResults extends AbstractList<TaskResult> implements RandomAccess {
    private final int size;
    private final IntFunction<TaskResult> results;

    /// `size` results, which `results` gives by their index.
    public LateResults(int size, IntFunction<TaskResult> results) {
        this.size = size;
        this.results = results;
    }

    @Override
    public TaskResult get(int index) {
        return results.apply(Objects.checkIndex(index, size));
    }

    @Override
    public int size() {
        return size;
    }
}
