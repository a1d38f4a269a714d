package dev.artel.kernel.blueprint;

import dev.artel.kernel.task.TimeLimits;
import java.time.Duration;

/// How long a branch waits for a client or a person, and what follows without an answer.
///
/// @param within from the moment at which it begins to wait
/// @param state the state that follows
public record Deadline(Duration within, String state) {
    /// Refuses a time that goes back, and one beyond the calendar.
    public Deadline {
        if (within.isNegative() || within.compareTo(TimeLimits.LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "a deadline must not be negative and at most 36500 days, was " + within);
        }
    }
}
