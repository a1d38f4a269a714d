package dev.artel.gateway.zeromq;

import static dev.artel.gateway.zeromq.WirePort.RESULTS;
import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.waits.Await;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.zeromq.ZMQ;

/// Answers that their workers do not read.
@Timeout(Await.HUNG)
final class UnreadAnswersTest {
    private static final int CALLS = 60;

    /// About a megabyte of them.
    private static final JsonObject RENEWAL =
            JsonObject.of(
                    "lease_tokens",
                    JsonArray.ofStrings(
                            IntStream.range(0, 9_000)
                                    .mapToObj(number -> "x".repeat(95) + number)
                                    .toList()));

    private static final ZeroMqConfig CONFIG =
            ZeroMqConfig.DEFAULTS
                    .withPorts(ZeroMqConfig.Ports.FREE)
                    .withMaxMessageBytes(2 << 20)
                    .withTerms(ZeroMqServer.PATIENT);

    private static void narrow(ZMQ.Socket socket) {
        socket.setRcvHWM(1);
        socket.setReceiveBufferSize(4_096);
    }

    private static void call(PushPeer peer, String operation, JsonObject body) {
        peer.send(
                RESULTS,
                "CALL",
                JsonObject.builder()
                        .put("call_id", "c1")
                        .put("op", operation)
                        .put("token", ZeroMqServer.TOKEN)
                        .put("body", body)
                        .build());
    }

    private static void register(PushPeer peer) {
        call(
                peer,
                "register",
                JsonObject.of(
                        "worker_id",
                        new JsonString(peer.name),
                        "supported_tasks",
                        JsonArray.ofStrings(List.of("echo"))));
        assertThat(peer.receive(RESULTS, "CALL_OK").text("call_id")).isEqualTo("c1");
    }

    /// Trap: a thousand answers waited for each peer, of any size.
    @Test
    void answersOfAWorkerThatDoesNotReadThem_areDroppedBeyondABound_andOthersAreAnswered() {
        try (var server = new ZeroMqServer(CONFIG);
                var good = new PushPeer(server.ports(), "good")) {
            try (var evil = new PushPeer(server.ports(), "evil", UnreadAnswersTest::narrow)) {
                register(evil);
                for (var count = 0; count < CALLS; count++) {
                    call(evil, "renew", RENEWAL);
                }
                await().until(() -> server.gateway().counts().unread() > 0);
                await().until(() ->
                        server.gateway().counts().received().getOrDefault(RESULTS.word(), 0L)
                                == CALLS + 1);

                assertThat(server.gateway().unsent()).isBetween(1L << 20, 128L << 20);
                register(good);
                call(good, "renew", RENEWAL);
                assertThat(good.receive(RESULTS, "CALL_OK").text("call_id")).isEqualTo("c1");
            }

            await().until(() -> server.gateway().unsent() == 0);
        }
    }
}
