package dev.artel.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.waits.Await;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// WebSockets that try one token after another.
@Timeout(Await.HUNG)
final class WrongSocketTokensTest {
    private static final int MOST = 2;

    private final List<String> refused = new CopyOnWriteArrayList<>();
    private final SocketServer server =
            new SocketServer(
                    0,
                    new ManualClock(),
                    WorkerTokens.shared(SocketServer.TOKEN),
                    new FewRefusals(),
                    (_, _, _, _) -> {},
                    SocketGatewayConfig.DEFAULTS);

    private final class FewRefusals implements WorkerLimits {
        @Override
        public Optional<Duration> take(WorkerId worker, Kind kind) {
            return Optional.empty();
        }

        @Override
        public void giveBack(WorkerId worker, Kind kind) {}

        @Override
        public Optional<Duration> refused(String from, String reason) {
            refused.add(from);
            return refused.size() > MOST ? Optional.of(Duration.ofMinutes(1)) : Optional.empty();
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void wrongTokensOfUpgrades_areCounted_andHaveToWaitWhenTheyAreTooMany() {
        for (var guess = 0; guess < MOST; guess++) {
            assertUpgradeIsRefused(401);
        }
        assertUpgradeIsRefused(429);

        assertThat(refused).containsExactly("127.0.0.1", "127.0.0.1", "127.0.0.1");
        SocketClient.open(server.port, SocketServer.TOKEN).close();
    }

    private void assertUpgradeIsRefused(int status) {
        assertThatThrownBy(() -> SocketClient.open(server.port, "a-guess"))
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        failed -> assertThat(failed.getResponse().statusCode()).isEqualTo(status));
    }

    /// Trap: a token comes with the registration, where nothing counts it.
    @Test
    void wrongTokensOfRegistrations_areCounted_andHaveToWaitWhenTheyAreTooMany() throws Exception {
        for (var guess = 0; guess < MOST; guess++) {
            assertThat(closedAfterGuess()).contains("Authentication failed");
        }
        assertThat(closedAfterGuess()).contains("Try again later");

        assertThat(refused).containsExactly("127.0.0.1", "127.0.0.1", "127.0.0.1");
    }

    private String closedAfterGuess() throws Exception {
        try (var client = SocketClient.open(server.port)) {
            client.send(
                    SocketClient.registration("w", 1, "echo")
                            .with("authToken", new JsonString("a-guess")));
            return client.closed();
        }
    }
}
