package dev.artel.kernel.blueprint;

/// Says of a step whether something holds. Safe for use by many threads.
@FunctionalInterface
public interface Condition {
    /// Whether it holds.
    ///
    /// @throws ConditionFailed if that cannot be said
    boolean holds(Step step);
}
