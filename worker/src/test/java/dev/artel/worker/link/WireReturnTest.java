package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonObject;
import dev.artel.protocol.RegisterAnswer;
import dev.artel.protocol.TaskAssignment;
import dev.artel.worker.wire.OrchestratorResponse;
import dev.artel.worker.wire.TaskWire;
import dev.artel.worker.wire.WireAddress;
import dev.artel.worker.wire.WireEvents;
import dev.artel.worker.wire.WireOperation;
import dev.artel.worker.wire.WireProvider;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WireReturnTest {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Wires wires = new Wires();
    private final OrchestratorClient client =
            new OrchestratorClient(
                    List.of(wires.address("first"), wires.address("second")),
                    "w1",
                    LinkSettings.DEFAULTS,
                    new Events(),
                    () -> {});
    private final RegistrationState registration =
            new RegistrationState(new Wakeup(), Duration.ofSeconds(30));

    /// Trap: the end is reported while the other wire is still in use, and the worker is idle on a dead wire until its next heartbeat.
    @Test
    void aWireThatEndsWhileTheWorkerGoesBackToIt_isNotTakenForOneThatWorks() throws Exception {
        wires.firstWorks = false;
        register();
        assertThat(client.wireName()).isEqualTo("second");
        wires.firstWorks = true;
        wires.endsAtOnce = true;

        new WireReturn(client, new Introduction(), LinkSettings.DEFAULTS, registration).turn();

        assertThat(client.wireName()).isEqualTo("first");
        assertThat(registration.isKnown()).isFalse();
        wires.endsAtOnce = false;
        register();
        assertThat(client.hasEnded()).isFalse();
    }

    private void register() throws Exception {
        registration.accept(RegisterAnswer.read(client.register(new Introduction(), LIMIT).json()));
    }

    private static final class Introduction implements OrchestratorClient.Introduction {
        @Override
        public JsonObject introduction() {
            return JsonObject.EMPTY;
        }

        @Override
        public List<String> held() {
            return List.of();
        }
    }

    private final class Events implements WireEvents {
        @Override
        public boolean pushed(TaskAssignment task) {
            return false;
        }

        @Override
        public void cancelled(String id) {}

        @Override
        public void lost(String lease, String reason) {}

        @Override
        public List<String> held() {
            return List.of();
        }

        @Override
        public void broken(TaskWire wire, String cause) {
            if (client.noteEnd(wire)) {
                registration.lose();
            }
        }
    }

    private static final class Wires implements WireProvider {
        private boolean firstWorks = true;
        private boolean endsAtOnce;

        Orchestrator address(String name) {
            return new Orchestrator(URI.create("fake://" + name), "token", this);
        }

        @Override
        public Set<String> schemes() {
            return Set.of("fake");
        }

        @Override
        public void check(URI uri) {}

        @Override
        public Optional<URI> http(URI uri) {
            return Optional.empty();
        }

        @Override
        public TaskWire wire(WireAddress address, WireEvents events) {
            return new FakeWire(address.uri().getHost(), events);
        }

        private final class FakeWire implements TaskWire {
            private final String name;
            private final WireEvents events;

            FakeWire(String name, WireEvents events) {
                this.name = name;
                this.events = events;
            }

            @Override
            public String name() {
                return name;
            }

            @Override
            public boolean pushes() {
                return true;
            }

            @Override
            public void probe(Duration timeout) {}

            @Override
            public OrchestratorResponse register(
                    JsonObject introduction, List<String> held, Duration timeout)
                    throws IOException {
                if (name.equals("first") && !firstWorks) {
                    throw new IOException("planted by the test");
                }
                if (endsAtOnce) {
                    events.broken(this, "planted by the test");
                }
                return new OrchestratorResponse(200, "{}".getBytes(UTF_8), null);
            }

            @Override
            public OrchestratorResponse send(
                    WireOperation operation, String taskId, byte[] body, Duration timeout) {
                return new OrchestratorResponse(200, new byte[0], null);
            }

            @Override
            public void leave() {}

            @Override
            public void close() {}
        }
    }
}
