package dev.artel.engine.shell;

import java.time.Duration;

/// Receives what the dispatcher does, from an engine thread: must not block and not throw.
@FunctionalInterface
public interface DispatchObserver {
    /// A task of `type` got a worker after it had waited for `waited`; what it waited before an attempt is not part of it.
    void placed(String type, Duration waited);
}
