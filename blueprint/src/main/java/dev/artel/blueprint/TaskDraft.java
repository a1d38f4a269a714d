package dev.artel.blueprint;

import dev.artel.json.JsonObject;
import dev.artel.kernel.placement.Demand;
import dev.artel.kernel.task.RetryPolicy;
import dev.artel.kernel.task.TaskSpec;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// What may be said of tasks: times and tries, what they ask of a worker, and what they share with others.
final class TaskDraft<P> {
    private final TaskType<P, ?> type;
    private UnaryOperator<TaskSpec> options = UnaryOperator.identity();

    TaskDraft(TaskType<P, ?> type) {
        this.type = type;
    }

    void with(UnaryOperator<TaskSpec> more) {
        var before = options;
        options = task -> more.apply(before.apply(task));
    }

    void attempts(int most) {
        with(task ->
                task.withRetry(
                        most == 1
                                ? RetryPolicy.NEVER
                                : task.limits().retry().withMaxAttempts(most)));
    }

    void executionTimeout(Duration most) {
        with(task -> task.withExecutionTimeout(most));
    }

    void dispatchDeadline(Duration most) {
        with(task -> task.withDispatchDeadline(most));
    }

    void requiring(UnaryOperator<Demand> more) {
        with(task -> task.demanding(more));
    }

    TaskSpec of(P params) {
        return options.apply(spec(type, params));
    }

    /// A task of `type` with nothing said of it.
    static <P> TaskSpec spec(TaskType<P, ?> type, P params) {
        return TaskSpec.of(type.name(), (JsonObject) type.params().write(params));
    }
}
