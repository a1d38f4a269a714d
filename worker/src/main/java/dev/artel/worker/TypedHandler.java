package dev.artel.worker;

/// Does one type of task, and returns a value of the type of its constant. Called by many threads at a time, each a virtual thread of its
/// own, which is interrupted as that of a [Handler].
///
/// @param <P> what it is given
/// @param <R> what it gives back
@FunctionalInterface
public interface TypedHandler<P, R> {
    /// Does the task.
    ///
    /// @throws PermanentFailure if no attempt can succeed
    /// @throws InvalidInput if the parameters are wrong
    /// @throws Exception if another attempt may succeed
    R handle(P params) throws Exception;
}
