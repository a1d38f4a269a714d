package dev.artel.gateway.http;

import dev.artel.testkit.transport.ByteTransportContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/// The same as [HttpTransportTest] where nothing is answered before the routes.
@Timeout(Await.HUNG)
final class RoutesTransportTest implements ByteTransportContract {
    private final HttpWire wire = new HttpWire(GatewayServer.Way.ROUTES);

    @Override
    public WorkerWire.OfBytes wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
