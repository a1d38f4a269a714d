package dev.artel.blueprint;

import dev.artel.json.JsonValue;
import java.util.function.Function;

/// Makes typed results of those of the kernel.
final class TaskResults {
    private TaskResults() {}

    /// What the kernel reports of a task, with the value that `reading` makes of what the worker sent.
    static <R> TaskResult<R> of(
            dev.artel.kernel.task.TaskResult result, Function<JsonValue, R> reading) {
        return switch (result) {
            case dev.artel.kernel.task.TaskResult.Succeeded(
                            var index,
                            var status,
                            var data,
                            var worker,
                            var attempt) ->
                    new TaskResult.Succeeded<>(index, status, reading.apply(data), worker, attempt);
            case dev.artel.kernel.task.TaskResult.Failed(var index, var error) ->
                    new TaskResult.Failed<>(
                            index,
                            switch (error.kind()) {
                                case TRANSIENT -> TaskResult.Kind.TRANSIENT;
                                case PERMANENT -> TaskResult.Kind.PERMANENT;
                                case INVALID_INPUT -> TaskResult.Kind.INVALID_INPUT;
                                case EXECUTION_TIMEOUT -> TaskResult.Kind.EXECUTION_TIMEOUT;
                                case DISPATCH_TIMEOUT -> TaskResult.Kind.DISPATCH_TIMEOUT;
                                case LOST -> TaskResult.Kind.LOST;
                            },
                            error.code(),
                            error.message());
            case dev.artel.kernel.task.TaskResult.Cancelled(var index) ->
                    new TaskResult.Cancelled<>(index);
        };
    }
}
