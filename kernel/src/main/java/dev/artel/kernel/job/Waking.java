package dev.artel.kernel.job;

/// What an alarm is for.
public sealed interface Waking {
    /// The whole job has taken too long.
    record JobDeadline() implements Waking {}

    /// The workers of a cancelled job have had their time.
    record CancelGrace() implements Waking {}

    /// A strand's backoff or wait is over.
    record StrandAlarm(int strand) implements Waking {}

    /// A task has waited or run for too long.
    record TaskAlarm(int task) implements Waking {}
}
