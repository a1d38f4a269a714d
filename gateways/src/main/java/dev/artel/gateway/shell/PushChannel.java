package dev.artel.gateway.shell;

import dev.artel.kernel.engine.HandOut;
import java.time.Duration;
import java.util.List;

/// A connection over which tasks are pushed to a worker, as the conversation uses it. Its methods neither wait nor throw.
public interface PushChannel extends WorkerSocket {
    /// Sends `tasks`. Those that cannot be sent are reported by [SessionShell#refused].
    ///
    /// @param lease how long the worker holds them without a renewal
    void push(List<HandOut> tasks, Duration lease);
}
