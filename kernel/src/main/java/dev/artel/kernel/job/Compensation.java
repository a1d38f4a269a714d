package dev.artel.kernel.job;

import dev.artel.kernel.task.TaskSpec;

/// How what a state has done is undone.
public sealed interface Compensation {
    /// A task undoes it.
    record ByTask(TaskSpec task) implements Compensation {}

    /// A state undoes it, and ends its strand.
    record ByState(String state) implements Compensation {}
}
