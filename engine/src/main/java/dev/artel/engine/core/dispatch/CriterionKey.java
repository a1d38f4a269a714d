package dev.artel.engine.core.dispatch;

import dev.artel.kernel.placement.Criterion;

/// A criterion as the key of a map. Those of one hash are found by their order, so that a client who chooses names with one hash makes no long
/// list of them; equal texts may be those of different criteria.
record CriterionKey(Criterion criterion) implements Comparable<CriterionKey> {
    @Override
    public int compareTo(CriterionKey other) {
        return criterion.toString().compareTo(other.criterion.toString());
    }
}
