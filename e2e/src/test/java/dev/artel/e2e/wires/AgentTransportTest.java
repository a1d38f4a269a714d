package dev.artel.e2e.wires;

import dev.artel.gateway.mindbus.AgentFleet;
import dev.artel.gateway.mindbus.AgentNames;
import dev.artel.gateway.mindbus.MindBusConfig;
import dev.artel.gateway.mindbus.MindBusGateway;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.testkit.broker.RabbitServer;
import dev.artel.testkit.transport.PushTransportContract;
import dev.artel.testkit.transport.RestartContract;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import dev.artel.worker.amqp.AmqpWireProvider;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// What holds on every wire that pushes, for agents of the SDK on a real RabbitMQ.
@Timeout(Await.HUNG)
final class AgentTransportTest implements PushTransportContract, RestartContract {
    private AgentWire wire;

    @Override
    public WorkerWire wire() {
        return wire;
    }

    @BeforeEach
    void open() throws InterruptedException {
        RabbitServer.require();
        wire = new AgentWire(RabbitServer.shared().uri());
    }

    @AfterEach
    void close() {
        if (wire != null) {
            wire.close();
        }
    }

    private static final class AgentWire extends SdkWire {
        private final MindBusConfig config;
        private MindBusGateway gateway;

        AgentWire(URI broker) throws InterruptedException {
            var own = UUID.randomUUID().toString().substring(0, 8);
            config = MindBusConfig.at(broker).withExchange("wire." + own).withNodeId("wire-" + own);
            gateway = opened();
            awaitConnected();
        }

        private MindBusGateway opened() {
            return MindBusGateway.open(
                    new MindBusGateway.Orchestrator(
                            shell(),
                            assignments,
                            engine.registrations(),
                            task -> Optional.of(task.spec().params()),
                            AgentNames.ANY,
                            new NoLimits(),
                            clock,
                            error -> {
                                throw new AssertionError(error);
                            }),
                    config);
        }

        private void awaitConnected() throws InterruptedException {
            if (!gateway.isConnectedWithin(Await.longest())) {
                throw new AssertionError("no connection: " + gateway.trouble());
            }
        }

        @Override
        TaskWire wire(String workerId, WireEvents events) {
            var address = URI.create(config.uri() + "?lease=10&exchange=" + config.exchange());
            return new AmqpWireProvider().wire(new WireAddress(address, "", workerId, -1), events);
        }

        @Override
        public void restart() {
            gateway.close();
            super.restart();
            gateway = opened();
            try {
                awaitConnected();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new AssertionError(e);
            }
        }

        @Override
        public void close() {
            super.close();
            gateway.close();
        }
    }

    private static final class NoLimits implements AgentFleet {
        @Override
        public void limited(WorkerId agent, Instant until) {}

        @Override
        public void paused(List<WorkerId> agents, String by, Optional<String> reason) {}

        @Override
        public void resumed(List<WorkerId> agents, String by) {}
    }
}
