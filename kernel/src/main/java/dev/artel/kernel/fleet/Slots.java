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
/// @param areShared whether clients share the slots of a category, see [#mostOfClient]. Never set by the worker
public record Slots(
        int total,
        SequencedMap<String, String> categories,
        SequencedMap<String, Integer> limits,
        boolean areShared) {
    /// With fewer slots of a category a client alone would have too few of them.
    private static final int LEAST_SHARED = 8;

    /// Those of a category are for each client that has a turn.
    public Slots(
            int total,
            SequencedMap<String, String> categories,
            SequencedMap<String, Integer> limits) {
        this(total, categories, limits, false);
    }

    /// Copies the maps.
    public Slots {
        if (total < 1) {
            throw new IllegalArgumentException("a worker has at least 1 slot, was " + total);
        }
        categories = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(categories));
        limits = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(limits));
    }

    /// These slots, of which clients share those of each category.
    public Slots shared() {
        return new Slots(total, categories, limits, true);
    }

    /// How many slots of a category that has `limit` one client may have: half of what the others leave, and one at least, so that some are left
    /// however many clients hold theirs for long.
    ///
    /// @param others how many the others have
    public int mostOfClient(int limit, int others) {
        return areShared && limit >= LEAST_SHARED ? Math.max(1, (limit - others) / 2) : limit;
    }

    /// The category of a task of `type`: as the worker declares it, or else as the task does.
    public Optional<String> categoryOf(String type, Optional<String> declared) {
        var mine = categories.get(type);
        return mine == null ? declared : Optional.of(mine);
    }
}
