package dev.artel.kernel.placement;

import java.time.Duration;

/// How much a task wants a worker that is warm for its type.
public sealed interface WarmPolicy {
    /// A cold one will do.
    WarmPolicy ANY = new Any();

    /// Only a warm one will do.
    WarmPolicy REQUIRED = new Required();

    /// See [#ANY].
    record Any() implements WarmPolicy {}

    /// See [#REQUIRED].
    record Required() implements WarmPolicy {}

    /// For so long only a warm one will do, counted from when the attempt was queued.
    record PreferredFor(Duration time) implements WarmPolicy {
        /// Refuses a time that is none.
        public PreferredFor {
            if (time.isNegative() || time.compareTo(Duration.ofDays(366)) > 0) {
                throw new IllegalArgumentException(
                        "a task prefers warm workers for 0 to 366 days, was " + time);
            }
        }
    }
}
