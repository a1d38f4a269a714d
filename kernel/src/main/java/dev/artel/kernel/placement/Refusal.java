package dev.artel.kernel.placement;

/// Why a worker does not take a task now.
public enum Refusal {
    /// It has no free slot.
    BUSY,
    /// It finishes what it has and takes nothing new.
    DRAINING,
    /// It does not offer the task's type, or not now.
    TYPE,
    /// It is free but does not ask for work at this moment.
    NOT_ASKING
}
