package dev.artel.blueprint;

import dev.artel.json.JsonValue;
import dev.artel.kernel.compensation.Compensation;
import dev.artel.kernel.task.TaskSpec;
import java.util.Optional;
import java.util.function.Function;

/// A task as a function asks for it.
///
/// @param task what is handed to a worker: its parameters, retries, time limits, priority and placement
/// @param compensation what compensates it if the job comes to a bad end
/// @param result makes a value of what the worker sent
public record TaskCall<R>(
        TaskSpec task, Optional<Compensation> compensation, Function<JsonValue, R> result) {
    /// A task whose result is what the worker sends.
    public static TaskCall<JsonValue> of(TaskSpec task) {
        return new TaskCall<>(task, Optional.empty(), value -> value);
    }

    /// This task, which `other` compensates.
    public TaskCall<R> compensatedBy(TaskSpec other) {
        return new TaskCall<>(task, Optional.of(new Compensation.ByTask(other)), result);
    }

    /// This task with what `change` makes of its result.
    public <T> TaskCall<T> as(Function<? super R, ? extends T> change) {
        return new TaskCall<>(task, compensation, value -> change.apply(result.apply(value)));
    }
}
