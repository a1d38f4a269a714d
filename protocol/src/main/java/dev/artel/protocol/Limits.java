package dev.artel.protocol;

import dev.artel.json.JsonObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// How many tasks a worker does at a time.
///
/// @param maxConcurrentTasks over all task types
/// @param perCategory category to the most tasks of its skills; a category that is missing has no limit of its own
public record Limits(int maxConcurrentTasks, SequencedMap<String, Integer> perCategory) {
    /// What workers of the first generation mean when they do not say.
    public static final int DEFAULT_CONCURRENT_TASKS = 10;

    /// Copies `perCategory`.
    public Limits {
        perCategory = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(perCategory));
    }

    static Limits read(Fields fields) {
        return new Limits(
                fields.count("max_concurrent_tasks", DEFAULT_CONCURRENT_TASKS),
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
