package dev.artel.card.plan;

import dev.artel.kernel.placement.Requirements;
import java.util.List;

/// A type of tasks that a card gives to workers.
///
/// @param requirements what the worker must offer beside the type
/// @param steps the steps that give such tasks
public record NeededTask(String type, Requirements requirements, List<String> steps) {
    /// Copies `steps`.
    public NeededTask {
        steps = List.copyOf(steps);
    }
}
