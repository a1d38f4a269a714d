package dev.artel.kernel.placement;

import java.util.Locale;
import java.util.Optional;

/// How to choose among workers that can take a task now. The strategy decides; what is equal goes to the worker
/// that has waited longest.
public enum Strategy {
    /// Warm first, then cheapest, then least loaded.
    DEFAULT,
    /// One after the other.
    ROUND_ROBIN,
    /// The fewest tasks in work.
    LEAST_CONNECTIONS,
    /// The cheapest, then the least loaded.
    CHEAPEST,
    /// The least cost per reputation, then the least loaded.
    BEST_VALUE,
    /// The cheapest of those with fewer than [#SOFT_LIMIT] tasks in work, else the one with the fewest.
    OVERFLOW;

    /// From how many tasks on a worker counts as crowded.
    public static final int SOFT_LIMIT = 3;

    /// The word on wires.
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /// The strategy of a word; empty for an unknown one.
    public static Optional<Strategy> of(String word) {
        for (var strategy : values()) {
            if (strategy.word().equals(word)) {
                return Optional.of(strategy);
            }
        }
        return Optional.empty();
    }
}
