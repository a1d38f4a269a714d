package dev.artel.worker.zeromq;

import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireProvider;
import java.net.URI;
import java.util.Optional;
import java.util.Set;

/// Brings `zmq://host` to the SDK, which finds it by [java.util.ServiceLoader].
public final class ZeroMqWireProvider implements WireProvider {
    /// For the service loader.
    public ZeroMqWireProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("zmq");
    }

    @Override
    public void check(URI uri) {
        var _ = DealerAddress.of(uri);
    }

    @Override
    public Optional<URI> http(URI uri) {
        return DealerAddress.of(uri).http();
    }

    @Override
    public TaskWire wire(WireAddress address, WireEvents events) {
        return new ZeroMqTaskWire(address, DealerAddress.of(address.uri()), events);
    }
}
