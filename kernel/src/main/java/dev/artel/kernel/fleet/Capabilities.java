package dev.artel.kernel.fleet;

import java.util.LinkedHashSet;
import java.util.List;

/// What a worker can do.
///
/// @param tasks the task types that it takes now, in its order
/// @param known the task types that it has ever offered: those of `tasks`, and those for which it has no room now
/// @param hot the task types that it could begin at once
/// @param loaded the models and files that it has in memory, by name
public record Capabilities(
        List<String> tasks, List<String> known, List<String> hot, List<String> loaded) {
    /// Copies the lists; what is taken is known.
    public Capabilities {
        tasks = List.copyOf(tasks);
        hot = List.copyOf(hot);
        loaded = List.copyOf(loaded);
        known = union(known, tasks);
    }

    private static List<String> union(List<String> known, List<String> tasks) {
        if (known.equals(tasks)) {
            return tasks;
        }
        var all = new LinkedHashSet<>(known);
        all.addAll(tasks);
        return List.copyOf(all);
    }

    /// Skills that are cold.
    public static Capabilities of(List<String> tasks) {
        return new Capabilities(tasks, tasks, List.of(), List.of());
    }

    /// These skills, warm for `types`.
    public Capabilities withHot(List<String> types) {
        return new Capabilities(tasks, known, types, loaded);
    }

    /// These skills, of which only `types` are taken now.
    public Capabilities takingOnly(List<String> types) {
        return new Capabilities(types, known, hot, loaded);
    }

    /// Whether a task of `type` would find all it needs loaded.
    public boolean isWarmFor(String type) {
        return hot.contains(type) || loaded.contains(type);
    }
}
