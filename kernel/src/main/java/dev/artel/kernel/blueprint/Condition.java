package dev.artel.kernel.blueprint;

/// A test of a step. Safe for use by many threads.
@FunctionalInterface
public interface Condition {
    /// Whether it holds.
    ///
    /// @throws ConditionFailed if that cannot be decided
    boolean holds(Step step);
}
