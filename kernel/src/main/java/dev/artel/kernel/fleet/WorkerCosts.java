package dev.artel.kernel.fleet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// What a worker's work costs, in the fleet's own unit.
///
/// @param perSkill task type to cost
/// @param defaultCost the cost of types that `perSkill` does not name; infinite where unknown
public record WorkerCosts(SequencedMap<String, Double> perSkill, double defaultCost) {
    /// Nothing is known.
    public static final WorkerCosts UNKNOWN =
            new WorkerCosts(new LinkedHashMap<>(), Double.POSITIVE_INFINITY);

    /// Copies `perSkill`.
    public WorkerCosts {
        perSkill = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(perSkill));
    }

    /// The same for all types.
    public static WorkerCosts of(double defaultCost) {
        return new WorkerCosts(new LinkedHashMap<>(), defaultCost);
    }

    /// What a task of `type` costs; infinite where unknown.
    public double of(String type) {
        return perSkill.getOrDefault(type, defaultCost);
    }
}
