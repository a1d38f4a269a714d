package dev.artel.kernel.store;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/// Which closed jobs are no longer kept: those that have not changed since a time, which may be another one for each
/// blueprint.
///
/// @param before for jobs of all blueprints that have no time of their own; exclusive
/// @param ofBlueprints the times of those that have one, by the names of blueprints; exclusive
public record Expiry(Instant before, SequencedMap<String, Instant> ofBlueprints) {
    /// Copies the times.
    public Expiry {
        ofBlueprints = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(ofBlueprints));
    }

    /// The same time for all blueprints.
    public static Expiry before(Instant before) {
        return new Expiry(before, new LinkedHashMap<>());
    }

    /// Jobs of `blueprint` that have not changed since then are no longer kept.
    public Instant of(String blueprint) {
        return ofBlueprints.getOrDefault(blueprint, before);
    }
}
