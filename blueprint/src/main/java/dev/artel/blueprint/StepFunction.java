package dev.artel.blueprint;

/// What an author computes of a step. It looks at the step alone and does nothing else that anybody could see: it may be called
/// more than once, and for nothing.
///
/// @param <I> what the job was submitted with
/// @param <T> what it gives
@FunctionalInterface
public interface StepFunction<I, T> {
    /// The value.
    ///
    /// @throws RunFailed if the job cannot reach its end: it fails
    /// @throws Exception if there is none; the state is tried again as [States#guards] set, then its job is quarantined
    T of(Step<I> step) throws Exception;
}
