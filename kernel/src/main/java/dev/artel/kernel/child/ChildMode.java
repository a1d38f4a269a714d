package dev.artel.kernel.child;

/// What a job wants of a child.
public enum ChildMode {
    /// Its end; while it is quarantined the parent waits.
    AWAITED,
    /// Its end; when it is quarantined the parent goes on as after a failure.
    AWAITED_UNLESS_QUARANTINED,
    /// Nothing; it lives on by itself.
    DETACHED;

    /// Whether the child is wanted only as long as its parent waits for it.
    public boolean isAwaited() {
        return this != DETACHED;
    }
}
