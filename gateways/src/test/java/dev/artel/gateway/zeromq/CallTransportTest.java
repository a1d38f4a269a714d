package dev.artel.gateway.zeromq;

import dev.artel.testkit.transport.ByteTransportContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/// What holds on every wire, by calls over ZeroMQ.
@Timeout(Await.HUNG)
final class CallTransportTest implements ByteTransportContract {
    private final CallWire wire = new CallWire();

    @Override
    public WorkerWire.OfBytes wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
