package dev.artel.gateway.websocket;

import dev.artel.testkit.transport.TransportContract;
import dev.artel.testkit.transport.WorkerWire;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class SocketTransportTest implements TransportContract {
    private final SocketWire wire = new SocketWire();

    @Override
    public WorkerWire wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
