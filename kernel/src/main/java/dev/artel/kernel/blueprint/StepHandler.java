package dev.artel.kernel.blueprint;

import java.util.List;
import java.util.Optional;

/// What happens in a state: ordinary code that looks at the job and returns what is next.
///
/// It may run again after a crash or a timeout, also while a lost run of it goes on; exactly one outcome is applied.
/// It is called on a thread of its blueprint and may block; see [HandlerWatch] for code in other threads. An exception is a failure: it is tried again with backoff, and
/// when that is spent the job is quarantined.
@FunctionalInterface
public interface StepHandler {
    /// The one thing that happens next.
    Action handle(Step step) throws Exception;

    /// The names of the job's data that it reads; empty if that is not known: it may read any.
    default Optional<List<String>> reads() {
        return Optional.empty();
    }
}
