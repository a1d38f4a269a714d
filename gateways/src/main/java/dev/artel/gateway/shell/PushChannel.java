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

    /// Sends `tasks` again, which an earlier process of the orchestrator gave to the worker, under the same leases; what the worker was
    /// given with them is missing. Called only where [SessionShell#repeat] was.
    ///
    /// @param lease how long the worker holds them without a renewal
    default void pushAgain(List<HandOut> tasks, Duration lease) {
        throw new UnsupportedOperationException("tasks are not sent twice over " + wire());
    }
}
