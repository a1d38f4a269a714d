package dev.artel.worker;

/// Does one type of task. Called by many threads at a time, each a virtual thread of its own.
///
/// @param <P> what the parameters are bound to: a record, or one of the types of `dev.artel.json`
@FunctionalInterface
public interface Handler<P> {
    /// Does the task.
    ///
    /// The thread is interrupted when the task is cancelled, when another worker has it, or when the worker must
    /// stop; a handler ends then, best by letting the [InterruptedException] through.
    ///
    /// @throws PermanentFailure if no attempt can succeed
    /// @throws InvalidInput if the parameters are wrong
    /// @throws Exception if another attempt may succeed
    Result handle(P params, TaskContext task) throws Exception;
}
