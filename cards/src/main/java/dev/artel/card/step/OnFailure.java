package dev.artel.card.step;

/// What follows when a step has failed for good.
public enum OnFailure {
    /// The process fails.
    ABORT,
    /// The process goes on with the next step; variables stay as they are.
    CONTINUE,
    /// A person decides: again, go on or fail.
    ESCALATE
}
