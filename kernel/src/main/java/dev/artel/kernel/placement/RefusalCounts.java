package dev.artel.kernel.placement;

import java.util.AbstractMap;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How many workers each reason refused, in the order of [Refusal]. Immutable, and small: each placement has one.
@SuppressWarnings("EnumOrdinal") // an array for each placement, and nothing of it is kept by number
public final class RefusalCounts extends AbstractMap<Refusal, Integer>
        implements SequencedMap<Refusal, Integer> {
    private static final Refusal[] REFUSALS = Refusal.values();

    /// For each reason how many, 0 where there is none.
    private final int[] counts;

    private RefusalCounts(int[] counts) {
        this.counts = counts;
    }

    /// Copies those of `counts` that are positive.
    public static RefusalCounts of(Map<Refusal, Integer> counts) {
        var builder = new Builder();
        counts.forEach(builder::add);
        return builder.build();
    }

    /// Counts one after another. Not safe for use by many threads.
    public static final class Builder {
        private int[] counts = new int[REFUSALS.length];

        /// So many more for `refusal`; none unless `count` is positive.
        public void add(Refusal refusal, int count) {
            counts[refusal.ordinal()] += Math.max(0, count);
        }

        /// What was counted; the builder begins anew.
        public RefusalCounts build() {
            var built = new RefusalCounts(counts);
            counts = new int[REFUSALS.length];
            return built;
        }
    }

    /// How many there are for `refusal`; 0 if none.
    public int count(Refusal refusal) {
        return counts[refusal.ordinal()];
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof Refusal refusal && count(refusal) > 0;
    }

    @Override
    public @Nullable Integer get(@Nullable Object key) {
        return key instanceof Refusal refusal && count(refusal) > 0 ? count(refusal) : null;
    }

    @Override
    public int size() {
        return (int) Arrays.stream(counts).filter(count -> count > 0).count();
    }

    @Override
    public SequencedMap<Refusal, Integer> reversed() {
        return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(this).reversed());
    }

    @Override
    public Set<Map.Entry<Refusal, Integer>> entrySet() {
        var entries = new EnumMap<Refusal, Integer>(Refusal.class);
        for (var refusal : REFUSALS) {
            if (count(refusal) > 0) {
                entries.put(refusal, count(refusal));
            }
        }
        return Collections.unmodifiableMap(entries).entrySet();
    }
}
