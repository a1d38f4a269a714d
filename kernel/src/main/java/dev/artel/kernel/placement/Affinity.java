package dev.artel.kernel.placement;

import dev.artel.kernel.attempt.WorkerId;
import java.util.Optional;

/// A task wants to run where an earlier one of its job ran.
///
/// @param task the number of the earlier one; [#LATEST] for the last one that has a worker
/// @param required whether no other worker will do
/// @param worker where that was, noted when the task is opened; empty before, and if it had no worker
public record Affinity(int task, boolean required, Optional<WorkerId> worker) {
    /// The last task of the job that has a worker.
    public static final int LATEST = -1;

    /// Refuses a task that cannot be.
    public Affinity {
        if (task < LATEST) {
            throw new IllegalArgumentException("there is no task " + task);
        }
    }

    /// This affinity, settled.
    public Affinity to(int earlier, WorkerId place) {
        return new Affinity(earlier, required, Optional.of(place));
    }
}
