package dev.artel.kernel.task;

import java.time.Duration;

/// How long anything in a job may take.
public final class TimeLimits {
    /// A hundred years: a longer time cannot always be added to a date, which would stop the job that needs it.
    public static final Duration LONGEST = Duration.ofDays(36_500);

    private TimeLimits() {}
}
