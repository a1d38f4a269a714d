package dev.artel.gateway.http;

import dev.artel.testkit.transport.ByteTransportContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class HttpTransportTest implements ByteTransportContract {
    private final HttpWire wire = new HttpWire();

    @Override
    public WorkerWire.OfBytes wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
