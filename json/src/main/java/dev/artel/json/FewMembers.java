package dev.artel.json;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The members of a small object, which most objects are: names and values in two arrays that are looked through, which takes about a quarter of
/// the memory of a hashed map. Immutable.
final class FewMembers extends AbstractMap<String, JsonValue>
        implements SequencedMap<String, JsonValue> {
    /// Objects with more members are hashed.
    static final int MOST = 16;

    private final String[] names;
    private final JsonValue[] values;

    /// Of all objects without members, so that many of them take little memory.
    private static final FewMembers NONE = new FewMembers(new String[0], new JsonValue[0]);

    private FewMembers(String[] names, JsonValue[] values) {
        this.names = names;
        this.values = values;
    }

    /// @param names each once; not copied, as `values`
    static FewMembers of(String[] names, JsonValue[] values) {
        return names.length == 0 ? NONE : new FewMembers(names, values);
    }

    /// The place of `name` among the first `size` of `names`; -1 if it is not there.
    static int find(String[] names, int size, @Nullable Object name) {
        for (var i = 0; i < size; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public @Nullable JsonValue get(@Nullable Object name) {
        var place = find(names, names.length, name);
        return place < 0 ? null : values[place];
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return find(names, names.length, name) >= 0;
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super JsonValue> action) {
        for (var i = 0; i < names.length; i++) {
            action.accept(names[i], values[i]);
        }
    }

    /// The name at a place from 0.
    String name(int place) {
        return names[place];
    }

    /// The value at a place from 0.
    JsonValue value(int place) {
        return values[place];
    }

    @Override
    public Set<String> keySet() {
        return new Places<>() {
            @Override
            String at(int place) {
                return names[place];
            }
        };
    }

    @Override
    public Set<Entry<String, JsonValue>> entrySet() {
        return new Places<>() {
            @Override
            Entry<String, JsonValue> at(int place) {
                return Map.entry(names[place], values[place]);
            }
        };
    }

    @Override
    public Collection<JsonValue> values() {
        return Collections.unmodifiableList(Arrays.asList(values));
    }

    @Override
    public SequencedMap<String, JsonValue> reversed() {
        return of(
                Arrays.asList(names).reversed().toArray(String[]::new),
                Arrays.asList(values).reversed().toArray(JsonValue[]::new));
    }

    /// What stands at the places from 0, read when it is asked for.
    private abstract class Places<T> extends AbstractSet<T> {
        abstract T at(int place);

        @Override
        public int size() {
            return names.length;
        }

        @Override
        public Iterator<T> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return next < names.length;
                }

                @Override
                public T next() {
                    if (next == names.length) {
                        throw new NoSuchElementException("there are " + next + " members");
                    }
                    return at(next++);
                }
            };
        }
    }
}
