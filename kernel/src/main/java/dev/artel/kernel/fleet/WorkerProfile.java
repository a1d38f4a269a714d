package dev.artel.kernel.fleet;

import dev.artel.kernel.delivery.WorkerId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// What a worker says about itself, and what placement looks at.
///
/// @param id its name
/// @param tasks the task types that it takes now, in its order
/// @param capacity how many tasks it takes at once; at least 1
/// @param hot the task types for which it is warm
/// @param costPerSkill task type to cost, in the fleet's own unit
/// @param cost the cost of types that `costPerSkill` does not name; infinite where unknown
/// @param draining whether it takes nothing new
public record WorkerProfile(
        WorkerId id,
        List<String> tasks,
        int capacity,
        List<String> hot,
        SequencedMap<String, Double> costPerSkill,
        double cost,
        boolean draining) {
    /// Copies the collections.
    public WorkerProfile {
        if (capacity < 1) {
            throw new IllegalArgumentException(
                    "worker " + id + ": capacity must be at least 1, was " + capacity);
        }
        tasks = List.copyOf(tasks);
        hot = List.copyOf(hot);
        costPerSkill = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(costPerSkill));
    }

    /// A worker that takes `tasks`, of which nothing else is known.
    public static WorkerProfile of(WorkerId id, List<String> tasks, int capacity) {
        return new WorkerProfile(
                id,
                tasks,
                capacity,
                List.of(),
                new LinkedHashMap<>(),
                Double.POSITIVE_INFINITY,
                false);
    }

    /// What a task of `type` costs on this worker.
    public double costOf(String type) {
        return costPerSkill.getOrDefault(type, cost);
    }
}
