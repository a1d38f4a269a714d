package dev.artel.kernel.task;

import java.time.Duration;
import java.util.Optional;

/// What a task may cost in time and tries.
///
/// @param retry for attempts that failed
/// @param maxLost how many attempts may be lost with their workers before the task is given up; at least 1
/// @param dispatchDeadline how long the task may wait for a worker each time it is queued; empty: forever
/// @param executionTimeout how long one attempt may run from its hand-out
public record TaskLimits(
        RetryPolicy retry,
        int maxLost,
        Optional<Duration> dispatchDeadline,
        Duration executionTimeout) {
    /// Default retries, three losses, no dispatch deadline, five minutes of execution.
    public static final TaskLimits DEFAULTS =
            new TaskLimits(RetryPolicy.DEFAULTS, 3, Optional.empty(), Duration.ofMinutes(5));

    /// Refuses limits that no task can keep.
    public TaskLimits {
        if (maxLost < 1) {
            throw new IllegalArgumentException("task max-lost must be at least 1, was " + maxLost);
        }
        requireTime("execution-timeout", executionTimeout);
        dispatchDeadline.ifPresent(deadline -> requireTime("dispatch-deadline", deadline));
    }

    private static void requireTime(String name, Duration time) {
        if (!time.isPositive() || time.compareTo(TimeLimits.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "task " + name + " must be positive and at most 36500 days, was " + time);
        }
    }
}
