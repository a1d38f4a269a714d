package dev.artel.server.api.figures;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// How long things took, as histograms by one label. Bounded: so many values of the label are counted separately, from the
/// start on; all further ones are `other`. Safe for use by many threads.
final class TimeHistograms {
    private static final Duration[] BOUNDS = {
        Duration.ofMillis(5),
        Duration.ofMillis(25),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1),
        Duration.ofHours(6),
        Duration.ofDays(1)
    };

    private final Meters meters;
    private final String name;
    private final String description;
    private final String label;
    private final Map<String, Timer> timers = new ConcurrentHashMap<>();

    TimeHistograms(Meters meters, String name, String description, String label) {
        this.meters = meters;
        this.name = name;
        this.description = description;
        this.label = label;
    }

    /// Something took `time`. Forgotten before figures were loaded: that takes long, and the caller must not wait.
    void record(String value, Duration time) {
        var open = meters.ifLoaded();
        if (open == null) {
            return;
        }
        var known = timers.get(value);
        if (known == null) {
            var counted = timers.size() < TaskTimes.MOST_NAMES ? value : LatencyWindows.OTHER;
            // Outside of the map, which it would lock for as long as classes are loaded.
            var made = timer(counted, open.registry());
            known = timers.getOrDefault(counted, made);
            timers.putIfAbsent(counted, made);
        }
        known.record(time);
    }

    /// The same one for the same value.
    private Timer timer(String value, MeterRegistry registry) {
        return Timer.builder(name)
                .description(description)
                .tag(label, value)
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }
}
