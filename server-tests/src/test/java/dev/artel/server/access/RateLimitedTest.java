package dev.artel.server.access;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.AccessSettings;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

final class RateLimitedTest {
    @Test
    void aTaskWhoseOnlyWorkerAsksTooOften_saysThat() throws IOException {
        var rates = new AccessSettings.Rates(100, 1, 100, 0, 0, 100);
        var config = TestNodes.CONFIG.withAccess(AccessSettings.DEFAULTS.withRates(rates));
        var storage =
                new Storage(
                        new InMemoryEventStore(), new InMemoryPayloadStore(), new InMemoryFleet());
        try (var node = ArtelNode.start(config, SampleBlueprints.all(), storage)) {
            assertThat(new TestWorker(node, "w1", "echo")).isNotNull();
            var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var client = TestClient.of(node);
            hangUpOnAPoll(node);
            await().until(() -> workers.get("/_worker/workers/w1/tasks/next").status() == 429);

            var job = client.submit("{\"blueprint\":\"echo\"}");

            await().until(() ->
                    client.get("/api/v1/jobs/" + job + "/explain")
                            .object()
                            .toString()
                            .contains("rate_limited"));
        }
    }

    private static void hangUpOnAPoll(ArtelNode node) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), node.port())) {
            var poll =
                    "GET /_worker/workers/w1/tasks/next HTTP/1.1\r\nHost: localhost\r\n"
                            + "X-Worker-Token: "
                            + node.workerToken()
                            + "\r\n\r\n";
            socket.getOutputStream().write(poll.getBytes(US_ASCII));
            socket.getOutputStream().flush();
        }
    }
}
