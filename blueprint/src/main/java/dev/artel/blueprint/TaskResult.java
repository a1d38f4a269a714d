package dev.artel.blueprint;

import dev.artel.json.JsonValue;
import java.util.function.Function;

/// How one of the tasks of a fan-out ended, as the state that joins them sees it.
///
/// @param <R> what a task gives that succeeds
public sealed interface TaskResult<R> {
    /// The place of the task in its fan-out, from 0.
    int index();

    /// A task with an outcome.
    ///
    /// @param status the worker's word
    /// @param value what the worker sent
    /// @param worker which did it
    /// @param attempt which try it was, from 1
    record Succeeded<R>(int index, String status, R value, String worker, int attempt)
            implements TaskResult<R> {}

    /// A task that failed for good.
    ///
    /// @param code the worker's or the orchestrator's, for programs
    /// @param message for people
    record Failed<R>(int index, Kind kind, String code, String message) implements TaskResult<R> {
        /// The same as [Step#failures] has it.
        public Failure failure() {
            return new Failure(code, message);
        }
    }

    /// A task that was no longer wanted.
    record Cancelled<R>(int index) implements TaskResult<R> {}

    /// Why a task failed.
    enum Kind {
        /// It might have worked another time, and its attempts are used up.
        TRANSIENT,
        /// It fails on every worker.
        PERMANENT,
        /// Its parameters are wrong.
        INVALID_INPUT,
        /// Its last attempt took longer than its execution timeout.
        EXECUTION_TIMEOUT,
        /// No worker took it before its dispatch deadline.
        DISPATCH_TIMEOUT,
        /// Too many workers were lost with it.
        LOST
    }

    /// What the kernel says of a task, with the value that `reading` makes of what the worker sent.
    static <R> TaskResult<R> of(
            dev.artel.kernel.task.TaskResult result, Function<JsonValue, R> reading) {
        return switch (result) {
            case dev.artel.kernel.task.TaskResult.Succeeded(
                            var index,
                            var status,
                            var data,
                            var worker,
                            var attempt) ->
                    new Succeeded<>(index, status, reading.apply(data), worker, attempt);
            case dev.artel.kernel.task.TaskResult.Failed(var index, var error) ->
                    new Failed<>(
                            index,
                            switch (error.kind()) {
                                case TRANSIENT -> Kind.TRANSIENT;
                                case PERMANENT -> Kind.PERMANENT;
                                case INVALID_INPUT -> Kind.INVALID_INPUT;
                                case EXECUTION_TIMEOUT -> Kind.EXECUTION_TIMEOUT;
                                case DISPATCH_TIMEOUT -> Kind.DISPATCH_TIMEOUT;
                                case LOST -> Kind.LOST;
                            },
                            error.code(),
                            error.message());
            case dev.artel.kernel.task.TaskResult.Cancelled(var index) -> new Cancelled<>(index);
        };
    }
}
