package dev.artel.card.step;

/// How a process ends.
public enum CompleteStatus {
    /// It has finished.
    SUCCESS,
    /// It has failed.
    FAILURE,
    /// It was cancelled.
    CANCELLED
}
