package dev.artel.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Members of which some are read when somebody asks for them. Immutable.
final class LateMembers extends AbstractMap<String, JsonValue>
        implements SequencedMap<String, JsonValue> {
    private final SequencedMap<String, JsonValue> places;
    private final Map<String, LateValue> late;

    /// @param places all names in order; what stands at one of `late` does not count
    LateMembers(SequencedMap<String, JsonValue> places, Map<String, LateValue> late) {
        this.places =
                places instanceof FewMembers
                        ? places
                        : Collections.unmodifiableSequencedMap(new LinkedHashMap<>(places));
        this.late = Collections.unmodifiableMap(new LinkedHashMap<>(late));
    }

    Map<String, LateValue> late() {
        return late;
    }

    Optional<LateValue> late(String name) {
        return Optional.ofNullable(late.get(name));
    }

    /// All names in order, and the values that are there.
    SequencedMap<String, JsonValue> places() {
        return places;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        var waiting = late.get(name);
        return waiting == null ? places.get(name) : waiting.read();
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return places.containsKey(name);
    }

    @Override
    public int size() {
        return places.size();
    }

    @Override
    public Set<String> keySet() {
        return places.keySet();
    }

    @Override
    public Set<Entry<String, JsonValue>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<String, JsonValue>> iterator() {
                var names = places.keySet().iterator();
                return new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return names.hasNext();
                    }

                    @Override
                    public Entry<String, JsonValue> next() {
                        var name = names.next();
                        return Map.entry(name, Objects.requireNonNull(get(name)));
                    }
                };
            }

            @Override
            public int size() {
                return places.size();
            }
        };
    }

    @Override
    public SequencedMap<String, JsonValue> reversed() {
        return new LateMembers(places.reversed(), late);
    }
}
