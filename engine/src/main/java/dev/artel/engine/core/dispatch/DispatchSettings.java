package dev.artel.engine.core.dispatch;

import dev.artel.kernel.task.SharedLimit;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// How workers are shared.
///
/// @param aging how many tasks of higher priorities go before one of a lower priority that waits for workers of the same
///     type; after so many one of it goes first. 0: any number
/// @param limits what tasks share that have the key of a limit; a key that ends in `*` is that of each key that begins so, for
///     each alone
/// @param weights how many turns a client has for one of a client that is not named; positive
public record DispatchSettings(
        int aging, SequencedMap<String, Double> weights, SequencedMap<String, SharedLimit> limits) {
    /// What a client has that is not named.
    public static final double NORMAL_WEIGHT = 1;

    /// One in thirty-two turns for low priorities, and the same for all clients.
    public static final DispatchSettings DEFAULTS =
            new DispatchSettings(32, new LinkedHashMap<>(), new LinkedHashMap<>());

    /// Refuses what has no meaning; copies the weights.
    public DispatchSettings {
        if (aging < 0) {
            throw new IllegalArgumentException(
                    "dispatch aging must not be negative, was " + aging + "; 0 switches it off");
        }
        weights.forEach((client, weight) -> {
            if (!(weight > 0) || Double.isInfinite(weight)) {
                throw new IllegalArgumentException(
                        "the weight of client "
                                + client
                                + " must be a positive number, was "
                                + weight);
            }
        });
        weights = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(weights));
        limits = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(limits));
    }

    /// These settings with other limits.
    public DispatchSettings withLimits(List<SharedLimit> others) {
        var byKey = new LinkedHashMap<String, SharedLimit>();
        others.forEach(limit -> byKey.put(limit.key(), limit));
        return new DispatchSettings(aging, weights, byKey);
    }

    /// The limit that is set for `key`: under its own name, or else under the longest beginning of it.
    public Optional<SharedLimit> limit(String key) {
        var exact = limits.get(key);
        if (exact != null || limits.isEmpty()) {
            return Optional.ofNullable(exact);
        }
        return limits.values().stream()
                .filter(limit -> limit.key().endsWith("*"))
                .filter(limit -> key.startsWith(limit.key().substring(0, limit.key().length() - 1)))
                .max(Comparator.comparingInt(limit -> limit.key().length()));
    }

    /// These settings with another share for low priorities.
    public DispatchSettings withAging(int turns) {
        return new DispatchSettings(turns, weights, limits);
    }

    /// These settings with other weights.
    public DispatchSettings withWeights(SequencedMap<String, Double> others) {
        return new DispatchSettings(aging, others, limits);
    }

    /// What `client` has.
    public double weight(String client) {
        return weights.getOrDefault(client, NORMAL_WEIGHT);
    }
}
