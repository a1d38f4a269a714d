package dev.artel.kernel.compensation;

import dev.artel.kernel.task.TaskSpec;

/// How what a state has done is compensated.
public sealed interface Compensation {
    /// A task compensates it.
    record ByTask(TaskSpec task) implements Compensation {}

    /// A state compensates it, and ends its branch.
    record ByState(String state) implements Compensation {}
}
