package dev.artel.blueprint;

import dev.artel.blueprint.function.CallCompensation;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.task.TaskSpec;
import java.util.Optional;
import java.util.function.Function;

/// A task as a function or a handler of an annotated class asks for it: its type and parameters, retries, time limits and placement, and
/// what compensates it if the job fails or is cancelled. Immutable.
///
/// @param <R> what is made of what the worker sent
public final class TaskCall<R> implements TaskOptions<TaskCall<R>> {
    private final TaskSpec task;
    private final Optional<CallCompensation> compensation;
    private final Function<JsonValue, R> result;

    private TaskCall(
            TaskSpec task, Optional<CallCompensation> compensation, Function<JsonValue, R> result) {
        this.task = task;
        this.compensation = compensation;
        this.result = result;
    }

    TaskSpec task() {
        return task;
    }

    Optional<CallCompensation> compensation() {
        return compensation;
    }

    Function<JsonValue, R> result() {
        return result;
    }

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
    public TaskCall<R> with(TaskSetting setting) {
        return new TaskCall<>(setting.of(task), compensation, result);
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
    /// done and has no result - its worker was lost, or it ran out of time - the job's end states that it could not be compensated; prefer
    /// what is known before, such as an id that the function gives, where that is enough. `params` computes alone, like the function;
    /// if it throws, that cannot be compensated either. In a map each call is compensated with its own result.
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

    @Override
    public String toString() {
        return "task " + task.type();
    }
}
