package dev.artel.kernel.task;

/// Why an attempt or a task failed, by what happens next.
public enum ErrorClass {
    /// May work next time: retried, then the task fails.
    TRANSIENT,
    /// Fails on every worker: the task fails at once.
    PERMANENT,
    /// The parameters are wrong: the task fails at once, and so does a job that has no answer to it.
    INVALID_INPUT,
    /// An attempt took longer than its execution timeout: treated as [#TRANSIENT].
    EXECUTION_TIMEOUT,
    /// No worker took the task before its dispatch deadline.
    DISPATCH_TIMEOUT,
    /// Too many workers were lost with the task.
    LOST;

    /// Whether the task's retry policy decides about another try.
    public boolean isRetryable() {
        return this == TRANSIENT || this == EXECUTION_TIMEOUT;
    }

    /// Whether the failure is one of time.
    public boolean isTimeout() {
        return this == EXECUTION_TIMEOUT || this == DISPATCH_TIMEOUT;
    }
}
