package dev.artel.kernel.placement;

/// What becomes of a worker on which an attempt of a task has failed, for its next attempts.
public enum Exclusion {
    /// Others go first; if none is free it is tried again.
    OTHERS_FIRST,
    /// It does not get the task again.
    NEVER_AGAIN,
    /// Nothing.
    NONE
}
