package dev.artel.worker;

/// Does one type of task that gives nothing back. Called as a [TypedHandler].
///
/// @param <P> what it is given
@FunctionalInterface
public interface VoidHandler<P> {
    /// Does the task.
    ///
    /// @throws PermanentFailure if no attempt can succeed
    /// @throws InvalidInput if the parameters are wrong
    /// @throws Exception if another attempt may succeed
    void handle(P params) throws Exception;
}
