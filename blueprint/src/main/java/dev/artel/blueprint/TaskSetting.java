package dev.artel.blueprint;

import dev.artel.kernel.task.TaskSpec;
import java.util.function.UnaryOperator;

/// One option of a task, made by a method of [TaskOptions]. Immutable.
public final class TaskSetting {
    private final UnaryOperator<TaskSpec> change;

    TaskSetting(UnaryOperator<TaskSpec> change) {
        this.change = change;
    }

    TaskSpec of(TaskSpec task) {
        return change.apply(task);
    }
}
