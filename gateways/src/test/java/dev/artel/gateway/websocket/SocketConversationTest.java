package dev.artel.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.shell.SessionShell;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.worker.server.hub.PooledWorker;
import dev.artel.worker.server.hub.WorkerCapabilities;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

@NullUnmarked
final class SocketConversationTest {
    private static final PooledWorker WORKER =
            new PooledWorker(
                    "w1",
                    "Worker w1",
                    PooledWorker.Status.AVAILABLE,
                    new WorkerCapabilities(
                            List.of(),
                            1,
                            new LinkedHashMap<>(),
                            JsonObject.of(
                                    "artel", JsonObject.of("instance", new JsonString("one")))),
                    "session-1",
                    Instant.EPOCH,
                    Instant.EPOCH,
                    PooledWorker.Requests.NONE);

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final SessionShell shell =
            new SessionShell(SessionSettings.DEFAULTS, clock, (_, _, _, _) -> {});

    SocketConversationTest() {
        engine.connect(shell);
        shell.connect(engine);
    }

    @AfterEach
    void close() {
        shell.close();
    }

    private SocketConversation conversation() {
        var wiring =
                new SocketWiring(
                        null,
                        shell,
                        null,
                        null,
                        null,
                        null,
                        Optional.empty(),
                        new CallRoom(CallRoom.LEAST),
                        SocketGatewayConfig.DEFAULTS);
        return new SocketConversation(wiring, WORKER, null, SocketRegistration.read(WORKER));
    }

    /// Trap: its channel takes the place of that of the worker's next conversation.
    @Test
    void aConversationThatHasEnded_opensNoChannel() throws Exception {
        var ended = conversation();
        ended.end();
        conversation().begin();
        assertThat(shell.workers()).isPresent();
        assertThat(engine.asks("w1")).isPositive();

        ended.begin();

        assertThat(shell.workers()).isPresent();
        assertThat(engine.asks("w1")).isPositive();
    }
}
