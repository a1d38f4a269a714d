package dev.artel.gateway.zeromq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerLimits;
import dev.artel.gateway.access.WorkerTokens;
import dev.artel.gateway.shell.MonotonicTime;
import dev.artel.json.JsonString;
import dev.artel.kernel.attempt.WorkerId;
import dev.artel.waits.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Peers that try one token after another.
@Timeout(Await.HUNG)
final class WrongTokensTest {
    private static final int MOST = 3;

    private final List<String> refused = new CopyOnWriteArrayList<>();

    private final class FewRefusals implements WorkerLimits {
        @Override
        public Optional<Duration> take(WorkerId worker, Kind kind) {
            return Optional.empty();
        }

        @Override
        public void giveBack(WorkerId worker, Kind kind) {}

        @Override
        public Optional<Duration> refused(String from, String reason) {
            refused.add(reason);
            return refused.size() > MOST ? Optional.of(Duration.ofMinutes(1)) : Optional.empty();
        }
    }

    @Test
    void wrongTokens_areCounted_andHaveToWaitWhenTheyAreTooMany() {
        var config =
                ZeroMqConfig.DEFAULTS
                        .withPorts(ZeroMqConfig.Ports.FREE)
                        .withTerms(ZeroMqServer.PATIENT);
        try (var server =
                        new ZeroMqServer(
                                config,
                                new MonotonicTime(Instant.now()),
                                WorkerTokens.shared(ZeroMqServer.TOKEN),
                                new FewRefusals());
                var peer = new PushPeer(server.ports(), "guesser")) {
            var codes = new ArrayList<String>();
            for (var guess = 0; guess <= MOST; guess++) {
                peer.send(
                        WirePort.REGISTRATION,
                        "READY",
                        peer.ready(1).with("token", new JsonString("guess-" + guess)));
                codes.add(peer.receive(WirePort.REGISTRATION, "REJECT").text("code"));
            }

            assertThat(codes).containsExactly("BAD_TOKEN", "BAD_TOKEN", "BAD_TOKEN", "BUSY");
            assertThat(refused).hasSize(MOST + 1);
            peer.join(1);
        }
    }
}
