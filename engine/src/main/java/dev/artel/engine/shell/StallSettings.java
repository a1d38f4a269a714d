package dev.artel.engine.shell;

import java.time.Duration;

/// How the engine looks for jobs that are stuck.
///
/// @param pause between two looks
/// @param jobs at how many jobs a look looks
/// @param grace how long what is on its way may take before it counts as lost
/// @param repeats whether what was lost is sent again where that does no harm
public record StallSettings(Duration pause, int jobs, Duration grace, boolean repeats) {
    /// 100 jobs a second, a minute of grace.
    public static final StallSettings DEFAULTS =
            new StallSettings(Duration.ofSeconds(1), 100, Duration.ofMinutes(1), true);

    /// Refuses what has no meaning.
    public StallSettings {
        if (!pause.isPositive() || !grace.isPositive()) {
            throw new IllegalArgumentException(
                    "pause and grace of the watch over stuck jobs must be positive, were "
                            + pause
                            + " and "
                            + grace);
        }
        if (jobs < 1) {
            throw new IllegalArgumentException(
                    "a look for stuck jobs must look at 1 job at least, was " + jobs);
        }
    }

    /// These settings with another pause.
    public StallSettings withPause(Duration other) {
        return new StallSettings(other, jobs, grace, repeats);
    }

    /// These settings with another grace.
    public StallSettings withGrace(Duration other) {
        return new StallSettings(pause, jobs, other, repeats);
    }
}
