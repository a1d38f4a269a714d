package dev.artel.kernel.store;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.KeyValueStore.Entry;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/// What a blueprint keeps for all of its jobs: versioned values by key. Safe for use by many threads.
///
/// What a call has written is durable when it returns, whatever becomes of the handler that called: a handler that
/// runs again writes again. Write with [#putIf] or [#update], or under keys that name the job.
public final class JsonDataStore {
    private static final int MOST_ATTEMPTS = 1000;

    private final KeyValueStore entries;
    private final String space;

    private JsonDataStore(KeyValueStore entries, String space) {
        this.entries = entries;
        this.space = space;
    }

    /// The store that keeps its values in `space`.
    public static JsonDataStore of(KeyValueStore entries, String space) {
        return new JsonDataStore(entries, space);
    }

    /// The value of `key`.
    public Optional<JsonValue> get(String key) {
        return entry(key).map(Entry::value);
    }

    /// The value of `key` with its version.
    public Optional<Entry> entry(String key) {
        return entries.get(space, checked(key));
    }

    /// Sets the value of `key`, whatever it was.
    ///
    /// @return its new version
    public long put(String key, JsonValue value) {
        return entries.put(space, checked(key), KeyValueStore.ANY_VERSION, value).orElseThrow();
    }

    /// Sets the value of `key` if its entry is at `version`; 0: if there is none.
    ///
    /// @return its new version; empty if another writer was faster
    public OptionalLong putIf(String key, long version, JsonValue value) {
        return entries.put(space, checked(key), version, value);
    }

    /// Changes the value of `key`, again if another writer was faster.
    ///
    /// @param change gets the value as it is, or `absent`; free of effects, since it may be called several times
    /// @return the new value
    public JsonValue update(String key, JsonValue absent, UnaryOperator<JsonValue> change) {
        for (var attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            var before = entry(key);
            var after = change.apply(before.map(Entry::value).orElse(absent));
            var version = before.map(Entry::version).orElse(KeyValueStore.NO_ENTRY);
            if (putIf(key, version, after).isPresent()) {
                return after;
            }
        }
        throw new IllegalStateException(
                "changing '"
                        + key
                        + "' in data store "
                        + space
                        + ": others were faster "
                        + MOST_ATTEMPTS
                        + " times; spread the value over several keys");
    }

    /// Removes the entry of `key`.
    ///
    /// @return whether there was one
    public boolean remove(String key) {
        return entries.remove(space, checked(key), KeyValueStore.ANY_VERSION);
    }

    /// The entries whose keys begin with `prefix` and come after `after`, by key.
    ///
    /// @param after the last key of the page before; empty: from the first
    /// @param limit how many at most; at least 1
    public List<Entry> list(String prefix, String after, int limit) {
        return entries.list(space, prefix, after, limit);
    }

    private String checked(String key) {
        if (key.isEmpty() || key.length() > KeyValueStore.MAX_KEY) {
            throw new IllegalArgumentException(
                    "a key of data store "
                            + space
                            + " must have 1 to "
                            + KeyValueStore.MAX_KEY
                            + " characters, had "
                            + key.length());
        }
        return key;
    }

    @Override
    public String toString() {
        return space;
    }
}
