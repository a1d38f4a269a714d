package dev.artel.blueprint;

import dev.artel.json.JsonValue;
import dev.artel.json.bind.Unfit;
import dev.artel.kernel.store.KeyValueStore;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;

/// What a blueprint keeps for all of its jobs, in all versions: values of one type by key. Safe for use by many threads.
///
/// What a call has written is durable when it returns, whatever becomes of the handler that called: a handler that
/// runs again writes again. Write with [#putIf] or [#update], or under keys that name the job.
public final class DataStore<V> {
    private final dev.artel.kernel.store.JsonDataStore store;
    private final ValueType<V> type;

    /// A value with its version, which grows with each change.
    public record Entry<V>(String key, long version, V value) {}

    /// The values of `type` in `store`.
    DataStore(dev.artel.kernel.store.JsonDataStore store, ValueType<V> type) {
        this.store = store;
        this.type = type;
    }

    /// The value of `key`.
    ///
    /// @throws IllegalStateException if what is there does not fit the type, as with all that read
    public Optional<V> get(String key) {
        return entry(key).map(Entry::value);
    }

    /// The value of `key` with its version.
    public Optional<Entry<V>> entry(String key) {
        return store.entry(key).map(this::read);
    }

    /// Sets the value of `key`, whatever it was.
    ///
    /// @return its new version
    public long put(String key, V value) {
        return store.put(key, type.write(value));
    }

    /// Sets the value of `key` if its entry is at `version`; 0: if there is none.
    ///
    /// @return its new version; empty if somebody else was faster
    public OptionalLong putIf(String key, long version, V value) {
        return store.putIf(key, version, type.write(value));
    }

    /// Changes the value of `key`, again if somebody else was faster.
    ///
    /// @param change gets the value as it is, or `absent`; free of effects, since it may be called several times
    /// @return the new value
    public V update(String key, V absent, UnaryOperator<V> change) {
        var after =
                store.update(
                        key,
                        type.write(absent),
                        before -> type.write(change.apply(read(key, before))));
        return read(key, after);
    }

    /// Removes the entry of `key`.
    ///
    /// @return whether there was one
    public boolean remove(String key) {
        return store.remove(key);
    }

    /// The entries whose keys begin with `prefix` and come after `after`, by key.
    ///
    /// @param after the last key of the page before; empty: from the first
    /// @param limit how many at most; at least 1
    public List<Entry<V>> list(String prefix, String after, int limit) {
        return store.list(prefix, after, limit).stream().map(this::read).toList();
    }

    private Entry<V> read(KeyValueStore.Entry entry) {
        return new Entry<>(entry.key(), entry.version(), read(entry.key(), entry.value()));
    }

    private V read(String key, JsonValue json) {
        try {
            return type.read(json, key);
        } catch (Unfit wrong) {
            throw new IllegalStateException(
                    "data store "
                            + store
                            + " is read as values of "
                            + type
                            + ", and one is none: "
                            + wrong.getMessage(),
                    wrong);
        }
    }

    @Override
    public String toString() {
        return store.toString();
    }
}
