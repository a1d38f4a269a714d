package dev.artel.kernel.compensation;

import dev.artel.kernel.task.TaskSpec;
import java.util.Optional;

/// How what a state has done is compensated.
public sealed interface Compensation {
    /// A task compensates it.
    record ByTask(TaskSpec task) implements Compensation {}

    /// A state compensates it, and ends its branch.
    ///
    /// @param subject names one of several things that the state compensates, in words of the blueprint
    record ByState(String state, Optional<String> subject) implements Compensation {}
}
