package dev.artel.kernel.store;

import dev.artel.json.JsonValue;
import dev.artel.kernel.store.StoreException.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Keeps nothing and refuses each call: for engines whose blueprints have no data stores, and for handlers that may use none.
public final class UnavailableKeyValueStore implements KeyValueStore {
    private final String why;

    /// For an engine without a store of values.
    public UnavailableKeyValueStore() {
        this("this orchestrator was started without a store for it; give it one");
    }

    /// For those who may use none.
    ///
    /// @param why the reason, and what to do
    public UnavailableKeyValueStore(String why) {
        this.why = why;
    }

    @Override
    public Optional<Entry> get(String space, String key) {
        throw refusal(space);
    }

    @Override
    public OptionalLong put(String space, String key, long expected, JsonValue value) {
        throw refusal(space);
    }

    @Override
    public boolean remove(String space, String key, long expected) {
        throw refusal(space);
    }

    @Override
    public List<Entry> list(String space, String prefix, String after, int limit) {
        throw refusal(space);
    }

    private StoreUnavailable refusal(String space) {
        return new StoreUnavailable("using data store " + space + ": " + why, null);
    }
}
