package dev.artel.gateway.websocket;

import dev.artel.testkit.transport.ByteTransportContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class SocketTransportTest implements ByteTransportContract {
    private final SocketWire wire = new SocketWire();

    @Override
    public WorkerWire.OfBytes wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
