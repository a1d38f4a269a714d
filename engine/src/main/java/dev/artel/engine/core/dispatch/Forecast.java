package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Eligibility;
import dev.artel.kernel.placement.WaitReason;
import java.util.List;
import java.util.Optional;

/// Whether a task would be placed if it were queued now. Limits that tasks share, and whose turn it is, are left out of account.
///
/// @param obstacle why no worker would take it; empty: one would
/// @param workers what is true of single workers, in the order in which they came
public record Forecast(Optional<WaitReason> obstacle, List<Eligibility> workers) {
    /// Copies `workers`.
    public Forecast {
        workers = List.copyOf(workers);
    }
}
