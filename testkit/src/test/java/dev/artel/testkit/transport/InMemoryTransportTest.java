package dev.artel.testkit.transport;

final class InMemoryTransportTest implements TransportContract {
    private final InMemoryWire wire = new InMemoryWire();

    @Override
    public WorkerWire wire() {
        return wire;
    }
}
