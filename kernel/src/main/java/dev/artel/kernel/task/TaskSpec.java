package dev.artel.kernel.task;

import dev.artel.json.JsonObject;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/// A unit of work for one worker, as its job asks for it.
///
/// @param type the name under which workers offer the skill; not blank, at most 200 characters
/// @param params what the worker is given
/// @param limits time and tries
public record TaskSpec(String type, Payload params, TaskLimits limits) {
    /// Refuses a type that no worker can offer.
    public TaskSpec {
        Objects.requireNonNull(params, "params");
        if (type.isBlank() || type.length() > 200) {
            throw new IllegalArgumentException(
                    "task type must have 1 to 200 characters and not be blank, was '" + type + "'");
        }
    }

    /// A task with default limits.
    public static TaskSpec of(String type, JsonObject params) {
        return new TaskSpec(type, Payload.of(params), TaskLimits.DEFAULTS);
    }

    /// This task with another retry policy.
    public TaskSpec withRetry(RetryPolicy retry) {
        return withLimits(
                new TaskLimits(
                        retry,
                        limits.maxLost(),
                        limits.dispatchDeadline(),
                        limits.executionTimeout()));
    }

    /// This task with another limit on the time of one attempt.
    public TaskSpec withExecutionTimeout(Duration timeout) {
        return withLimits(
                new TaskLimits(
                        limits.retry(), limits.maxLost(), limits.dispatchDeadline(), timeout));
    }

    /// This task with a limit on the time it waits for a worker.
    public TaskSpec withDispatchDeadline(Duration deadline) {
        return withLimits(
                new TaskLimits(
                        limits.retry(),
                        limits.maxLost(),
                        Optional.of(deadline),
                        limits.executionTimeout()));
    }

    /// This task with other limits.
    public TaskSpec withLimits(TaskLimits other) {
        return new TaskSpec(type, params, other);
    }
}
