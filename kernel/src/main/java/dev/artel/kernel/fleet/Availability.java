package dev.artel.kernel.fleet;

/// Whether a worker is to get tasks at all.
public enum Availability {
    /// It is.
    READY,
    /// It reports that it has no room now.
    BUSY,
    /// It finishes what it has and takes nothing new.
    DRAINING,
    /// Its attempts failed one after another: it gets nothing for a while.
    SUSPENDED,
    /// Something is wrong with it: it gets nothing until it is well again.
    UNHEALTHY
}
