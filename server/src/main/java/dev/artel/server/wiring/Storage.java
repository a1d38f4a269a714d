package dev.artel.server.wiring;

import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.NoKeyValueStore;
import dev.artel.kernel.store.PayloadStore;

/// What an orchestrator remembers with. Whoever opened the stores closes them, after the orchestrator.
///
/// @param dataStores keeps what blueprints keep for all of their jobs
public record Storage(
        EventStore events, PayloadStore payloads, Fleet fleet, KeyValueStore dataStores) {
    /// Stores for blueprints without data stores.
    public Storage(EventStore events, PayloadStore payloads, Fleet fleet) {
        this(events, payloads, fleet, new NoKeyValueStore());
    }
}
