package dev.artel.engine.shell;

import dev.artel.kernel.store.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Stream;

/// How long closed jobs are kept after their last event: from a millisecond to 100 years.
///
/// @param time for jobs of all blueprints that have no time of their own
/// @param ofBlueprints the times of those that have one, by the names of blueprints
public record KeepClosed(Duration time, SequencedMap<String, Duration> ofBlueprints) {
    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofDays(36_500);

    /// 30 days.
    public static final KeepClosed DEFAULTS =
            new KeepClosed(Duration.ofDays(30), new LinkedHashMap<>());

    /// Refuses times that are too short or too long, and copies them.
    public KeepClosed {
        check("engine.keep-closed", time);
        ofBlueprints.forEach((blueprint, own) ->
                check("engine.keep-closed-of of blueprint '" + blueprint + "'", own));
        ofBlueprints = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(ofBlueprints));
    }

    /// These times with another one for jobs of blueprints without one of their own.
    public KeepClosed withTime(Duration other) {
        return new KeepClosed(other, ofBlueprints);
    }

    /// These times with other ones for some blueprints.
    public KeepClosed withOfBlueprints(SequencedMap<String, Duration> others) {
        return new KeepClosed(time, others);
    }

    /// The shortest of all times.
    Duration shortest() {
        return Stream.concat(Stream.of(time), ofBlueprints.values().stream())
                .min(Duration::compareTo)
                .orElse(time);
    }

    /// What is no longer kept at `now`.
    Expiry at(Instant now) {
        var own = new LinkedHashMap<String, Instant>();
        ofBlueprints.forEach((blueprint, kept) -> own.put(blueprint, now.minus(kept)));
        return new Expiry(now.minus(time), own);
    }

    private static void check(String key, Duration kept) {
        if (kept.compareTo(LEAST) < 0 || kept.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(key + " must be from 1ms to 36500d, was " + kept);
        }
    }
}
