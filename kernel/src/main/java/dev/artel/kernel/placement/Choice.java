package dev.artel.kernel.placement;

import java.util.Optional;

/// Whom a task prefers, and whom it waits for.
public record Choice(
        Strategy strategy, Warmth warmth, Optional<Affinity> affinity, Exclusion exclusion) {
    /// The default strategy, and no wish beyond.
    public static final Choice USUAL =
            new Choice(Strategy.DEFAULT, Warmth.ANY, Optional.empty(), Exclusion.OTHERS_FIRST);

    Choice with(Strategy other) {
        return new Choice(other, warmth, affinity, exclusion);
    }

    Choice with(Warmth other) {
        return new Choice(strategy, other, affinity, exclusion);
    }

    Choice with(Affinity other) {
        return new Choice(strategy, warmth, Optional.of(other), exclusion);
    }

    Choice with(Exclusion other) {
        return new Choice(strategy, warmth, affinity, other);
    }
}
