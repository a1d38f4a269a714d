package dev.artel.kernel.placement;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The nearest of some misses, nearest first, at most [Placement#MOST]. Immutable. Many placements share one, so it
/// knows how much of a placement it takes.
public final class ClosestWorkers extends AbstractList<UnmetRequirement> {
    /// The later the refusal the nearer.
    private static final Comparator<UnmetRequirement> NEAREST_FIRST =
            Comparator.comparing(UnmetRequirement::refusal)
                    .reversed()
                    .thenComparingDouble(UnmetRequirement::distance)
                    .thenComparing(UnmetRequirement::worker);

    private final List<UnmetRequirement> unmetRequirements;
    private final int bytes;

    private ClosestWorkers(List<UnmetRequirement> unmetRequirements) {
        this.unmetRequirements = unmetRequirements;
        bytes = Placement.Size.ofMisses(unmetRequirements);
    }

    /// The nearest of `misses`.
    public static ClosestWorkers of(List<UnmetRequirement> unmetRequirements) {
        var sorted = new ArrayList<>(unmetRequirements);
        sorted.sort(NEAREST_FIRST);
        return new ClosestWorkers(
                List.copyOf(sorted.subList(0, Math.min(Placement.MOST, sorted.size()))));
    }

    /// The first of `misses`, which are in order.
    static ClosestWorkers firstOf(List<UnmetRequirement> unmetRequirements) {
        return new ClosestWorkers(
                List.copyOf(
                        unmetRequirements.subList(
                                0, Math.min(Placement.MOST, unmetRequirements.size()))));
    }

    /// The most bytes that they take as JSON.
    int bytes() {
        return bytes;
    }

    @Override
    public UnmetRequirement get(int index) {
        return unmetRequirements.get(index);
    }

    @Override
    public int size() {
        return unmetRequirements.size();
    }
}
