package dev.artel.blueprint;

/// Something that a function has asked for and that goes on beside it. Only for the function that asked for it; not safe for use by
/// other threads.
public interface Promise<R> {
    /// Waits for the answer and returns it.
    ///
    /// @throws CallFailed if it failed
    R get();

    /// Whether the answer is there. That is a matter of time: a function may ask for it, and gets the same answer whenever it is run again.
    boolean isDone();
}
