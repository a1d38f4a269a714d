package dev.artel.server.wiring;

import dev.artel.backup.NotedValues;
import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.KeyValueStore;
import dev.artel.kernel.store.ObjectStore;
import dev.artel.kernel.store.PayloadStore;
import dev.artel.kernel.store.UnavailableKeyValueStore;
import dev.artel.store.sqlite.SqliteEventStore;
import java.util.Optional;

/// What an orchestrator remembers with. The caller that opened the stores closes them, after the orchestrator.
///
/// @param payloads large values, as the engine sees them
/// @param objects where `payloads` keeps them; empty if that is not to be known: nothing is swept then, and workers get
///     and give large values in their messages alone
/// @param dataStores keeps what blueprints keep for all of their jobs
/// @param copied what is copied to another place while it changes; empty: nothing
public record Storage(
        EventStore events,
        PayloadStore payloads,
        Optional<ObjectStore> objects,
        Fleet fleet,
        KeyValueStore dataStores,
        Optional<Copied> copied) {
    /// What is copied to another place.
    ///
    /// @param values large values in the same folder; empty: they are elsewhere
    public record Copied(SqliteEventStore events, Optional<NotedValues> values) {}

    /// Stores without a continuous backup.
    public Storage(
            EventStore events,
            PayloadStore payloads,
            Optional<ObjectStore> objects,
            Fleet fleet,
            KeyValueStore dataStores) {
        this(events, payloads, objects, fleet, dataStores, Optional.empty());
    }

    /// Stores whose large values are read by this process alone.
    public Storage(
            EventStore events, PayloadStore payloads, Fleet fleet, KeyValueStore dataStores) {
        this(events, payloads, Optional.empty(), fleet, dataStores);
    }

    /// Stores for blueprints without data stores.
    public Storage(EventStore events, PayloadStore payloads, Fleet fleet) {
        this(events, payloads, fleet, new UnavailableKeyValueStore());
    }
}
