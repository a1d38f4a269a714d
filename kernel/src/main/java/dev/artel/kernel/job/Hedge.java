package dev.artel.kernel.job;

import dev.artel.kernel.delivery.Delivery;
import dev.artel.kernel.delivery.Lease;
import java.util.Optional;

/// Where the second attempt of a hedged task stands while the first one runs.
public sealed interface Hedge {
    /// It begins when the alarm goes off.
    record Due(Alarm alarm) implements Hedge {}

    /// It was asked for.
    ///
    /// @param delivery queued without a deadline, or with a worker
    record Second(Delivery delivery) implements Hedge {}

    /// The lease of the second attempt, if a worker has it.
    static Optional<Lease> lease(Task task) {
        return leased(task).map(Delivery.Leased::lease);
    }

    /// The second attempt, if a worker has it.
    static Optional<Delivery.Leased> leased(Task task) {
        return task.hedge()
                .filter(Second.class::isInstance)
                .map(second -> ((Second) second).delivery())
                .filter(Delivery.Leased.class::isInstance)
                .map(Delivery.Leased.class::cast);
    }

    /// The second attempt, if it waits for a worker.
    static Optional<Delivery.Queued> queued(Task task) {
        return task.hedge()
                .filter(Second.class::isInstance)
                .map(second -> ((Second) second).delivery())
                .filter(Delivery.Queued.class::isInstance)
                .map(Delivery.Queued.class::cast);
    }
}
