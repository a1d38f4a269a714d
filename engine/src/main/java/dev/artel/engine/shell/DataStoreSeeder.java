package dev.artel.engine.shell;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.BlueprintRef;
import dev.artel.kernel.store.KeyValueStore;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// Sets what data stores have before the first job, each key once: a value that was changed or removed stays so, over
/// restarts and over versions. Safe for use by many threads.
final class DataStoreSeeder {
    /// No blueprint's store: those have a slash.
    private static final String SPACE = "initial";

    private final KeyValueStore entries;
    private final Set<BlueprintRef> done = ConcurrentHashMap.newKeySet();

    DataStoreSeeder(KeyValueStore entries) {
        this.entries = entries;
    }

    /// Sets those of `blueprint` if that was not done before.
    ///
    /// @throws dev.artel.kernel.store.StoreException if they cannot be set; it is tried again with the next step
    void set(Blueprint blueprint) {
        if (blueprint.initialValues().isEmpty() || done.contains(blueprint.ref())) {
            return;
        }
        blueprint
                .initialValues()
                .forEach((store, values) -> set(blueprint.name() + "/" + store, values));
        done.add(blueprint.ref());
    }

    /// The values first, then the note that they were set: a crash between the two sets none twice.
    private void set(String space, JsonObject values) {
        var noted =
                entries.get(SPACE, space)
                        .map(entry ->
                                entry.value() instanceof JsonObject keys ? keys : JsonObject.EMPTY)
                        .orElse(JsonObject.EMPTY);
        var all = noted;
        for (var key : values.names()) {
            if (!noted.has(key)) {
                var value = values.get(key).orElseThrow();
                var _ = entries.put(space, key, KeyValueStore.NO_ENTRY, value);
                all = all.with(key, JsonValue.of(true));
            }
        }
        if (!all.equals(noted)) {
            var _ = entries.put(SPACE, space, KeyValueStore.ANY_VERSION, all);
        }
    }
}
