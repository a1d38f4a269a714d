package dev.artel.protocol;

import dev.artel.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// How many tasks a worker does at a time.
///
/// @param maxConcurrentTasks over all task types; more than [#MOST_CONCURRENT_TASKS] count as so many
/// @param perCategory category to the most tasks of its skills; a category that is missing has no limit of its own
public record Limits(int maxConcurrentTasks, SequencedMap<String, Integer> perCategory) {
    /// The default of workers of the first generation.
    public static final int DEFAULT_CONCURRENT_TASKS = 10;

    /// How many tasks a worker does at a time at most: one that declares more would be the least loaded whatever it has.
    public static final int MOST_CONCURRENT_TASKS = 10_000;

    /// Copies `perCategory`.
    public Limits {
        maxConcurrentTasks = Math.min(maxConcurrentTasks, MOST_CONCURRENT_TASKS);
        perCategory = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(perCategory));
    }

    /// Of workers that name with each poll what they have room for, and so declare no number.
    public static final int POLLS_DECIDE = 1000;

    /// Reads the number where either generation declares it; without one it is 10 for workers that name their tasks, and
    /// the polls decide for those that describe their skills.
    static Limits read(Fields fields) {
        var resources = fields.findObject("resources");
        var declared = fields.findInt("max_concurrent_tasks");
        if (declared == null && resources != null) {
            declared = resources.findInt("max_concurrent_tasks");
        }
        var otherwise = fields.has("supported_skills") ? POLLS_DECIDE : DEFAULT_CONCURRENT_TASKS;
        return new Limits(
                declared == null ? otherwise : declared,
                fields.map("category_limits", Fields::intCount));
    }

    void writeTo(JsonObject.Builder json) {
        json.put("max_concurrent_tasks", maxConcurrentTasks);
        if (!perCategory.isEmpty()) {
            var limits = JsonObject.builder();
            perCategory.forEach((category, limit) -> limits.put(category, (long) limit));
            json.put("category_limits", limits.build());
        }
    }
}
