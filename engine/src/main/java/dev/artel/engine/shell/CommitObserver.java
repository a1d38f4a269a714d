package dev.artel.engine.shell;

import java.time.Duration;

/// Receives what the store was given, from the thread that appends: must not block and not throw.
@FunctionalInterface
public interface CommitObserver {
    /// The store has made `appends` durable together, which took `time`.
    void committed(int appends, Duration time);
}
