package dev.artel.blueprint;

import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.task.TaskSpec;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/// A task as a function or a handler of an annotated class asks for it. Immutable.
///
/// @param task what is handed to a worker: its parameters, retries, time limits, priority and placement
/// @param compensation what compensates it if the job fails or is cancelled
/// @param result makes a value of what the worker sent
public record TaskCall<R>(
        TaskSpec task, Optional<CallCompensation> compensation, Function<JsonValue, R> result)
        implements TaskOptions<TaskCall<R>> {
    /// A task of type `type` with `params`.
    ///
    /// @throws IllegalArgumentException if `params` cannot be written as JSON
    public static <P, R> TaskCall<R> of(TaskType<P, R> type, P params) {
        return new TaskCall<>(
                TaskDraft.spec(type, params), Optional.empty(), result -> read(type, result));
    }

    /// A task of type `type` whose parameters and result are JSON.
    public static TaskCall<JsonValue> of(String type, JsonObject params) {
        return new TaskCall<>(TaskSpec.of(type, params), Optional.empty(), value -> value);
    }

    /// What a worker that sends nothing gives back is an empty object.
    private static <R> R read(TaskType<?, R> type, JsonValue result) {
        return type.result()
                .read(
                        result instanceof JsonNull ? JsonObject.EMPTY : result,
                        "the result of " + type);
    }

    @Override
    public TaskCall<R> options(UnaryOperator<TaskSpec> change) {
        return new TaskCall<>(change.apply(task), compensation, result);
    }

    /// This task, which a task of type `type` with `params` compensates.
    public <P> TaskCall<R> compensatedBy(TaskType<P, ?> type, P params) {
        return compensated(new CallCompensation.ByTask(TaskDraft.spec(type, params)));
    }

    /// This task, which a task of type `type` compensates that gets this one's result; see [#compensatedByResult].
    public TaskCall<R> compensatedBy(TaskType<? super R, ?> type) {
        return compensatedByResult(type, value -> value);
    }

    /// This task, which a task of type `type` compensates, with what `params` makes of this one's result. Where a task may have been
    /// done and has no result, since it was interrupted or nobody knows, the job's end says that it could not be compensated; prefer
    /// what is known before, such as an id that the function gives, where that is enough. `params` computes alone, like the function;
    /// if it throws, that cannot be compensated either. A call alone can have it, and no map.
    public <P> TaskCall<R> compensatedByResult(
            TaskType<P, ?> type, Function<? super R, ? extends P> params) {
        return compensated(
                new CallCompensation.ByResult(
                        value -> TaskDraft.spec(type, params.apply(result.apply(value)))));
    }

    private TaskCall<R> compensated(CallCompensation by) {
        return new TaskCall<>(task, Optional.of(by), result);
    }

    /// This task with what `change` makes of its result.
    public <T> TaskCall<T> as(Function<? super R, ? extends T> change) {
        return new TaskCall<>(task, compensation, value -> change.apply(result.apply(value)));
    }
}
