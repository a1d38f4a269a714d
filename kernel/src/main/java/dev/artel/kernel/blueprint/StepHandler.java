package dev.artel.kernel.blueprint;

/// What happens in a state: ordinary code that looks at the job and says what is next.
///
/// It may run again after a crash or a timeout, also while a lost run of it goes on; exactly one outcome is applied.
/// It is called on a virtual thread and may block. An exception is a failure: it is tried again with backoff, and
/// when that is spent the job is quarantined.
@FunctionalInterface
public interface StepHandler {
    /// The one thing that happens next.
    Action handle(Step step) throws Exception;
}
