package dev.artel.testkit.store;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The reference: keeps versioned values without what makes them durable.
public final class InMemoryKeyValueStore implements KeyValueStore {
    private static final Comparator<String> BY_BYTES =
            Comparator.comparing(
                    key -> key.getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final Map<String, NavigableMap<String, Entry>> spaces = new LinkedHashMap<>();
    private long version;

    /// A store without values.
    public InMemoryKeyValueStore() {}

    @Override
    public synchronized Optional<Entry> get(String space, String key) {
        return Optional.ofNullable(entries(space).get(key));
    }

    @Override
    public synchronized OptionalLong put(String space, String key, long expected, JsonValue value) {
        if (!isAt(get(space, key), expected)) {
            return OptionalLong.empty();
        }
        version++;
        entries(space).put(key, new Entry(key, version, value));
        return OptionalLong.of(version);
    }

    @Override
    public synchronized boolean remove(String space, String key, long expected) {
        return isAt(get(space, key), expected) && entries(space).remove(key) != null;
    }

    @Override
    public synchronized List<Entry> list(String space, String prefix, String after, int limit) {
        return entries(space).tailMap(after, false).values().stream()
                .filter(entry -> entry.key().startsWith(prefix))
                .limit(limit)
                .toList();
    }

    private NavigableMap<String, Entry> entries(String space) {
        return spaces.computeIfAbsent(space, _ -> new TreeMap<>(BY_BYTES));
    }

    private static boolean isAt(Optional<Entry> found, long expected) {
        return expected == ANY_VERSION || found.map(Entry::version).orElse(NO_ENTRY) == expected;
    }
}
