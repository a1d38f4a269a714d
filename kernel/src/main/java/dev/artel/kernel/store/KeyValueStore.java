package dev.artel.kernel.store;

import dev.artel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// Keeps versioned values by space and key. Safe for use by many threads.
///
/// - What a write has answered is durable.
/// - Every write of a space gives a version that is larger than all before it, also than those of entries that were
///   removed: a version never comes back.
/// - Of several writers that expect the same version, one succeeds.
///
/// Contract tests: `dev.artel.testkit.store.KeyValueStoreContract`.
public interface KeyValueStore {
    /// The version to expect when there must be no entry.
    long NO_ENTRY = 0;

    /// The version to expect when it does not matter.
    long ANY_VERSION = -1;

    /// The longest key, in characters.
    int MAX_KEY = 500;

    /// The entry of `key` in `space`.
    Optional<Entry> get(String space, String key);

    /// Sets the value of `key` if its entry is at `expected`.
    ///
    /// @param expected a version, [#NO_ENTRY] or [#ANY_VERSION]
    /// @return the new version; empty if the entry is at another one, and nothing was written
    /// @throws StoreException.StoreFull if there is no room
    OptionalLong put(String space, String key, long expected, JsonValue value);

    /// Removes the entry of `key` if it is at `expected`.
    ///
    /// @param expected a version or [#ANY_VERSION]
    /// @return whether there was one
    boolean remove(String space, String key, long expected);

    /// Entries of `space` whose keys begin with `prefix` and come after `after`, by key in the order of its
    /// characters' UTF-8 bytes.
    ///
    /// @param after a key; empty: from the first
    /// @param limit at least 1
    List<Entry> list(String space, String prefix, String after, int limit);

    /// A value that is kept.
    ///
    /// @param version above 0
    record Entry(String key, long version, JsonValue value) {}
}
