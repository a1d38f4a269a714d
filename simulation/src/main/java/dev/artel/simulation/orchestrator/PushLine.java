package dev.artel.simulation.orchestrator;

import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import java.util.List;

/// A connection over which tasks are pushed to a worker, as the orchestrator sees it.
public interface PushLine {
    /// Sends tasks.
    void push(List<HandOut> tasks);

    /// Sends a cancel.
    void cancel(CancelTask cancel);

    /// The connection is over. Comes once, and nothing after it.
    void closed(String reason);
}
