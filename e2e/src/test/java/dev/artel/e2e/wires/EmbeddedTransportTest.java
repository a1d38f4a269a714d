package dev.artel.e2e.wires;

import dev.artel.server.embedded.EmbeddedWireProvider;
import dev.artel.testkit.transport.PushTransportContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/// What holds on every wire that pushes, in the process of the orchestrator. A worker there does not outlive that.
@Timeout(Await.HUNG)
final class EmbeddedTransportTest implements PushTransportContract {
    private final SdkWire wire =
            new SdkWire() {
                @Override
                TaskWire wire(String workerId, WireEvents events) {
                    var address = new WireAddress(EmbeddedWireProvider.ADDRESS, "", workerId, -1);
                    return new EmbeddedWireProvider(shell(), assignments, _ -> {})
                            .wire(address, events);
                }
            };

    @Override
    public WorkerWire wire() {
        return wire;
    }

    @AfterEach
    void close() {
        wire.close();
    }
}
