package dev.artel.kernel.job;

import dev.artel.kernel.attempt.Attempt;
import dev.artel.kernel.attempt.Lease;
import dev.artel.kernel.timer.Timer;
import java.util.Optional;

/// Where the second attempt of a hedged task stands while the first one runs.
public sealed interface Hedge {
    /// It begins when the timer goes off.
    record Due(Timer timer) implements Hedge {}

    /// It was asked for.
    ///
    /// @param attempt queued without a deadline, or with a worker
    record Second(Attempt attempt) implements Hedge {}

    /// The lease of the second attempt, if a worker has it.
    static Optional<Lease> lease(Task task) {
        return leased(task).map(Attempt.Leased::lease);
    }

    /// The second attempt, if a worker has it.
    static Optional<Attempt.Leased> leased(Task task) {
        return task.hedge()
                .filter(Second.class::isInstance)
                .map(second -> ((Second) second).attempt())
                .filter(Attempt.Leased.class::isInstance)
                .map(Attempt.Leased.class::cast);
    }

    /// The second attempt, if it waits for a worker.
    static Optional<Attempt.Queued> queued(Task task) {
        return task.hedge()
                .filter(Second.class::isInstance)
                .map(second -> ((Second) second).attempt())
                .filter(Attempt.Queued.class::isInstance)
                .map(Attempt.Queued.class::cast);
    }
}
