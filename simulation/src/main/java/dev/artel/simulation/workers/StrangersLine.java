package dev.artel.simulation.workers;

import dev.artel.kernel.engine.HandOut;
import dev.artel.protocol.CancelTask;
import dev.artel.simulation.orchestrator.PushLine;
import java.util.List;

/// The connection of somebody who takes no tasks.
final class StrangersLine implements PushLine {
    @Override
    public void push(List<HandOut> tasks) {
        throw new IllegalStateException("tasks are pushed to a stranger: " + tasks);
    }

    @Override
    public void cancel(CancelTask cancel) {
        // It never had the task.
    }

    @Override
    public void closed(String reason) {
        // It opens another one.
    }
}
