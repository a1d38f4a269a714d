package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.task.TaskSpec;
import java.util.function.UnaryOperator;

/// Tasks of one type, and what was set for them so far.
final class TaskDraft<P> {
    private final TaskType<P, ?> type;
    private UnaryOperator<TaskSpec> options = UnaryOperator.identity();

    TaskDraft(TaskType<P, ?> type) {
        this.type = type;
    }

    void with(TaskSetting more) {
        var before = options;
        options = task -> more.of(before.apply(task));
    }

    TaskSpec of(P params) {
        return options.apply(spec(type, params));
    }

    /// A task of `type` with the defaults.
    static <P> TaskSpec spec(TaskType<P, ?> type, P params) {
        return TaskSpec.of(type.name(), (JsonObject) type.params().write(params));
    }
}
