package dev.artel.blueprint;

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
}
