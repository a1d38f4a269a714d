package dev.artel.server.workers;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookSettings;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.server.TestWorker;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.server.wiring.Storage;
import dev.artel.session.SessionSettings;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A subscription to workers receives each event that can happen to one.
final class WorkerSubscriptionTest {
    /// A worker is unhealthy after half of it: a standstill that is too short to count as one does not skip that.
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private static ServerConfig config() {
        var terms = SessionSettings.DEFAULTS;
        return TestNodes.CONFIG
                .withSession(
                        new SessionSettings(
                                terms.lease(),
                                terms.hold(),
                                SILENCE,
                                terms.grace(),
                                terms.cancelTimeout(),
                                terms.limits()))
                .withIngress(
                        TestNodes.CONFIG
                                .ingress()
                                .withWebhooks(
                                        WebhookSettings.DEFAULTS
                                                .withAllowHttp(true)
                                                .withAllowPrivate(List.of("127.0.0.1"))));
    }

    private static Optional<JsonObject> heard(TestReceiver receiver, String event, String worker) {
        return receiver.heard().stream()
                .map(TestReceiver.Heard::json)
                .filter(body -> body.string("event").equals(Optional.of(event)))
                .filter(body -> body.string("worker_id").equals(Optional.of(worker)))
                .findFirst();
    }

    private static JsonObject hears(TestReceiver receiver, String event, String worker) {
        await().until(() -> heard(receiver, event, worker).isPresent());
        return heard(receiver, event, worker).orElseThrow();
    }

    @Test
    void aSubscription_receivesAllThatHappensToWorkers() {
        try (var receiver = TestReceiver.good();
                var node =
                        ArtelNode.start(
                                config(),
                                SampleBlueprints.all(),
                                new Storage(
                                        new InMemoryEventStore(),
                                        new InMemoryPayloadStore(),
                                        new InMemoryFleet(),
                                        new InMemoryKeyValueStore()))) {
            var client = TestClient.of(node);
            var workers = new TestClient(node.uri(), "X-Worker-Token", node.workerToken());
            var made =
                    client.post(
                            "/api/v1/webhooks",
                            "{\"url\":\""
                                    + receiver.url()
                                    + "\",\"events\":[\""
                                    + String.join("\",\"", SubscriptionSettings.OF_WORKERS)
                                    + "\"]}");
            assertThat(made.status()).isEqualTo(201);

            new TestWorker(node, "leaves", "echo");
            hears(receiver, "worker_registered", "leaves");
            client.post("/api/v1/workers/leaves/drain", "");
            assertThat(hears(receiver, "worker_draining", "leaves").string("by"))
                    .contains("client default");
            client.post("/api/v1/workers/leaves/undrain", "");
            hears(receiver, "worker_undrained", "leaves");
            workers.method("DELETE", "/_worker/workers/leaves");
            assertThat(hears(receiver, "worker_offline", "leaves").string("reason")).isPresent();

            new TestWorker(node, "silent", "echo");
            hears(receiver, "worker_unhealthy", "silent");
            hears(receiver, "worker_offline", "silent");
        }
    }
}
