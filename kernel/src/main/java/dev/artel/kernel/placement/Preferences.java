package dev.artel.kernel.placement;

import java.util.Optional;

/// Whom a task prefers, and whom it waits for.
public record Preferences(
        Strategy strategy,
        WarmPolicy warmPolicy,
        Optional<Affinity> affinity,
        Exclusion exclusion) {
    /// The default strategy, and no wish beyond.
    public static final Preferences DEFAULT =
            new Preferences(
                    Strategy.DEFAULT, WarmPolicy.ANY, Optional.empty(), Exclusion.OTHERS_FIRST);

    Preferences with(Strategy other) {
        return new Preferences(other, warmPolicy, affinity, exclusion);
    }

    Preferences with(WarmPolicy other) {
        return new Preferences(strategy, other, affinity, exclusion);
    }

    Preferences with(Affinity other) {
        return new Preferences(strategy, warmPolicy, Optional.of(other), exclusion);
    }

    Preferences with(Exclusion other) {
        return new Preferences(strategy, warmPolicy, affinity, other);
    }
}
