package dev.artel.kernel.placement;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// The nearest of some misses, nearest first, at most [Placement#MOST]. Immutable. Many placements share one, so it
/// knows how much of a placement it takes.
public final class NearestMisses extends AbstractList<Miss> {
    /// The later the refusal the nearer.
    private static final Comparator<Miss> NEAREST_FIRST =
            Comparator.comparing(Miss::refusal)
                    .reversed()
                    .thenComparingDouble(Miss::distance)
                    .thenComparing(Miss::worker);

    private final List<Miss> misses;
    private final int bytes;

    private NearestMisses(List<Miss> misses) {
        this.misses = misses;
        bytes = Placement.Size.ofMisses(misses);
    }

    /// The nearest of `misses`.
    public static NearestMisses of(List<Miss> misses) {
        var sorted = new ArrayList<>(misses);
        sorted.sort(NEAREST_FIRST);
        return new NearestMisses(
                List.copyOf(sorted.subList(0, Math.min(Placement.MOST, sorted.size()))));
    }

    /// The first of `misses`, which are in order.
    static NearestMisses firstOf(List<Miss> misses) {
        return new NearestMisses(
                List.copyOf(misses.subList(0, Math.min(Placement.MOST, misses.size()))));
    }

    /// The most bytes that they take as JSON.
    int bytes() {
        return bytes;
    }

    @Override
    public Miss get(int index) {
        return misses.get(index);
    }

    @Override
    public int size() {
        return misses.size();
    }
}
