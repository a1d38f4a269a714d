package dev.artel.kernel.timer;

/// What a timer is for.
public sealed interface TimerKind {
    /// The whole job has taken too long.
    record JobDeadline() implements TimerKind {}

    /// The workers of a cancelled job have had their time.
    record CancelGrace() implements TimerKind {}

    /// A branch's backoff or wait is over.
    record BranchTimer(int branch) implements TimerKind {}

    /// A task has waited or run for too long.
    record TaskTimer(int task) implements TimerKind {}
}
