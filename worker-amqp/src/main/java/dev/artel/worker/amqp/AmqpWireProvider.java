package dev.artel.worker.amqp;

import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireProvider;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/// Brings `amqp://host` and `amqps://host` to the SDK, which finds it by [java.util.ServiceLoader].
public final class AmqpWireProvider implements WireProvider {
    /// For the service loader.
    public AmqpWireProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("amqp", "amqps");
    }

    @Override
    public void check(URI uri) {
        var _ = AgentAddress.of(uri);
    }

    /// Large values do not travel beside the bus.
    @Override
    public Optional<URI> http(URI uri) {
        return Optional.empty();
    }

    @Override
    public TaskWire wire(WireAddress address, WireEvents events) {
        return new AmqpTaskWire(AgentAddress.of(address.uri()), AgentName.of(address), events);
    }
}
