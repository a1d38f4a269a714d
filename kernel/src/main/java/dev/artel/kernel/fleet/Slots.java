package dev.artel.kernel.fleet;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;

/// How many tasks a worker takes at once.
///
/// @param total over all types; at least 1
/// @param categories task type to the category against whose limit it counts
/// @param limits category to the most tasks of it; a category that is missing has no limit of its own
public record Slots(
        int total, SequencedMap<String, String> categories, SequencedMap<String, Integer> limits) {
    /// Copies the maps.
    public Slots {
        if (total < 1) {
            throw new IllegalArgumentException("a worker has at least 1 slot, was " + total);
        }
        categories = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(categories));
        limits = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(limits));
    }

    /// The category of a task of `type`: as the worker declares it, or else as the task does.
    public Optional<String> categoryOf(String type, Optional<String> declared) {
        var mine = categories.get(type);
        return mine == null ? declared : Optional.of(mine);
    }
}
