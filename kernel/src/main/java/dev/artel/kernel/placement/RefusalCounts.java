package dev.artel.kernel.placement;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How many workers each reason refused, in the order of [Refusal]. Immutable, and small: each placement has one.
public final class RefusalCounts extends AbstractMap<Refusal, Integer>
        implements SequencedMap<Refusal, Integer> {
    private final EnumMap<Refusal, Integer> counts = new EnumMap<>(Refusal.class);

    /// Copies `counts`.
    public RefusalCounts(Map<Refusal, Integer> counts) {
        this.counts.putAll(counts);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return counts.containsKey(key);
    }

    @Override
    public @Nullable Integer get(@Nullable Object key) {
        return counts.get(key);
    }

    @Override
    public Set<Refusal> keySet() {
        return Collections.unmodifiableSet(counts.keySet());
    }

    @Override
    public SequencedMap<Refusal, Integer> reversed() {
        return Collections.unmodifiableSequencedMap(new LinkedHashMap<>(counts).reversed());
    }

    @Override
    public Set<Map.Entry<Refusal, Integer>> entrySet() {
        return Collections.unmodifiableMap(counts).entrySet();
    }
}
