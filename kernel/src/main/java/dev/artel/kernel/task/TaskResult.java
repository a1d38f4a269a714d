package dev.artel.kernel.task;

import dev.artel.json.JsonValue;

/// How one of several tasks ended, as the handler of the join state sees it.
public sealed interface TaskResult {
    /// The place of the task among its siblings, from 0.
    int index();

    /// A task with an outcome.
    ///
    /// @param status the worker's word
    /// @param data what the worker sent
    /// @param worker who did it
    /// @param attempt which try it was, from 1
    record Succeeded(int index, String status, JsonValue data, String worker, int attempt)
            implements TaskResult {}

    /// A task that failed for good.
    record Failed(int index, TaskError error) implements TaskResult {}

    /// A task that was no longer wanted.
    record Cancelled(int index) implements TaskResult {}
}
