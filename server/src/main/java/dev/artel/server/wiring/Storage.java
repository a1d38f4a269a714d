package dev.artel.server.wiring;

import dev.artel.kernel.fleet.Fleet;
import dev.artel.kernel.store.EventStore;
import dev.artel.kernel.store.PayloadStore;

/// What an orchestrator remembers with. Whoever opened the stores closes them, after the orchestrator.
public record Storage(EventStore events, PayloadStore payloads, Fleet fleet) {}
