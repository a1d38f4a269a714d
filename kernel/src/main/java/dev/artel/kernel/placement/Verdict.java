package dev.artel.kernel.placement;

import dev.artel.kernel.delivery.WorkerId;
import java.util.Optional;

/// What is true of one worker for one task now.
///
/// @param miss why it does not take the task; empty: nothing keeps it from it
public record Verdict(WorkerId worker, Optional<Miss> miss) {
    /// In words.
    public String text() {
        return miss.map(Miss::text).orElse(worker + " could take it now");
    }
}
