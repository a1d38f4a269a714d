package dev.artel.server.webhooks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.server.TestWorker;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.port.FreePort;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// There are more calls than there is room for: it waits in the store, and nothing is lost.
final class WebhookRoomTest {
    private static final WebhookSettings SETTINGS =
            WebhookSettings.DEFAULTS
                    .withAllowHttp(true)
                    .withAllowPrivate(List.of("127.0.0.1"))
                    .withRetries(
                            new WebhookSettings.Retries(
                                    1_000,
                                    Duration.ofMillis(20),
                                    Duration.ofMillis(50),
                                    Duration.ofMinutes(10),
                                    Await.longest()))
                    .withLimits(new WebhookSettings.Limits(12, 2, 6, 24, 4096));

    private final Storage storage =
            new Storage(
                    new InMemoryEventStore(),
                    new InMemoryPayloadStore(),
                    new InMemoryFleet(),
                    new InMemoryKeyValueStore());

    private static final Blueprints QUICK =
            Blueprints.of(
                    Blueprint.named("quick")
                            .start("begin", step -> Action.finish(step.initialData()))
                            .build());

    private ArtelNode node() {
        return ArtelNode.start(config(), QUICK, storage);
    }

    private static ServerConfig config() {
        return TestNodes.CONFIG.withIngress(TestNodes.CONFIG.ingress().withWebhooks(SETTINGS));
    }

    private static Set<String> submit(TestClient client, TestReceiver receiver, int jobs) {
        var ids = new HashSet<String>();
        for (var i = 0; i < jobs; i++) {
            ids.add(
                    client.submit(
                            "{\"blueprint\":\"quick\",\"webhook_url\":\""
                                    + receiver.url()
                                    + "\"}"));
        }
        return ids;
    }

    private static void hearsAll(TestReceiver receiver, Set<String> jobs) {
        await().untilAsserted(() ->
                assertThat(receiver.heard())
                        .extracting(heard -> heard.json().string("job_id").orElseThrow())
                        .containsAll(jobs));
    }

    private static double figure(TestClient client, String name) {
        return client.get("/metrics")
                .text()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow();
    }

    private static int open(CountDownLatch gate) {
        try {
            return gate.await(Await.seconds(), TimeUnit.SECONDS) ? 204 : 500;
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            return 500;
        }
    }

    /// Trap: what does not fit is dropped, or is kept in memory all the same.
    @Test
    void whatDoesNotFit_waitsInTheStore_andIsSent() {
        var gate = new CountDownLatch(1);
        try (var receiver = new TestReceiver((_, _) -> open(gate));
                var node = node()) {
            var client = TestClient.of(node);
            var jobs = submit(client, receiver, 30);
            await().untilAsserted(() ->
                    assertThat(figure(client, "artel_webhooks_total{outcome=\"put_off\"}"))
                            .isGreaterThan(20));
            assertThat(figure(client, "artel_webhooks_pending")).isEqualTo(6);
            assertThat(figure(client, "artel_webhooks_total{outcome=\"given_up\"}")).isZero();

            gate.countDown();

            hearsAll(receiver, jobs);
            for (var job : jobs) {
                await().untilAsserted(() ->
                        assertThat(client.get("/api/v1/jobs/" + job + "/webhooks").text())
                                .contains("\"delivered\""));
            }
            assertThat(receiver.heard()).hasSize(30);
        }
    }

    /// Trap: those who never answer take all the room there is.
    @Test
    void whoIsSlow_leavesRoomForOthers() {
        var waiting = new TestReceiver[2];
        try (var slow = new TestReceiver((_, _) -> waiting[0].never());
                var alsoSlow = new TestReceiver((_, _) -> waiting[1].never());
                var quick = TestReceiver.good();
                var node = node()) {
            waiting[0] = slow;
            waiting[1] = alsoSlow;
            var client = TestClient.of(node);
            submit(client, slow, 20);
            submit(client, alsoSlow, 20);

            hearsAll(quick, submit(client, quick, 20));
        }
    }

    /// Trap: turns go by receivers alone, and a client with many dead ones has most of the turns.
    @Test
    void aClientWithManyDeadReceivers_delaysNoOther(@TempDir Path folder) throws IOException {
        var data = Files.createDirectories(folder.resolve("data"));
        Files.writeString(
                data.resolve("clients.toml"),
                """
                [greedy]
                token = "the-greedy-token-of-the-tests"
                [modest]
                token = "the-modest-token-of-the-tests"
                """);
        var dead = new ArrayList<TestReceiver>();
        var closing = new CountDownLatch(1);
        try (var quick = TestReceiver.good();
                var node = ArtelNode.start(config().withData(data), QUICK)) {
            for (var i = 0; i < 12; i++) {
                dead.add(new TestReceiver((_, _) -> open(closing)));
            }
            var greedy =
                    new TestClient(node.uri(), "X-Client-Token", "the-greedy-token-of-the-tests");
            var modest =
                    new TestClient(node.uri(), "X-Client-Token", "the-modest-token-of-the-tests");
            for (var receiver : dead) {
                submit(greedy, receiver, 2);
            }
            await().untilAsserted(() ->
                    assertThat(figure(modest, "artel_webhooks_pending")).isGreaterThan(6));

            hearsAll(quick, submit(modest, quick, 3));
        } finally {
            closing.countDown();
            dead.forEach(TestReceiver::close);
        }
    }

    /// Trap: at the start all that waits in the store is taken into memory at once.
    @Test
    void afterARestart_whatWaitedInTheStore_isSent() {
        Set<String> jobs;
        var port = FreePort.next();
        try (var deaf = new TestReceiver((_, _) -> 500, port);
                var node = node()) {
            jobs = submit(TestClient.of(node), deaf, 30);
        }

        try (var receiver = new TestReceiver((_, _) -> 200, port);
                var node = node()) {
            hearsAll(receiver, jobs);
            assertThat(TestClient.of(node).get("/api/v1/stuck").items()).isEmpty();
        }
    }

    @Test
    void whatIsNotDurable_isRefusedOrGivenUp_andReportsIt() {
        var waiting = new TestReceiver[1];
        try (var receiver = new TestReceiver((call, _) -> call == 1 ? 204 : waiting[0].never());
                var node = node()) {
            waiting[0] = receiver;
            var client = TestClient.of(node);
            var first = submit(client, receiver, 1).iterator().next();
            var path = "/api/v1/jobs/" + first + "/webhooks";
            await().untilAsserted(
                            () -> assertThat(client.get(path).text()).contains("\"delivered\""));
            var call = (JsonObject) client.get(path).items().get(0);
            submit(client, receiver, 20);
            await().untilAsserted(() ->
                    assertThat(figure(client, "artel_webhooks_pending")).isEqualTo(6));

            var again =
                    client.post(path + "/" + call.string("call").orElseThrow() + "/redeliver", "");
            assertThat(again.status()).isEqualTo(503);
            assertThat(again.text()).contains("Too many calls of webhooks wait");

            var made =
                    client.post(
                            "/api/v1/webhooks",
                            "{\"events\":[\"worker_registered\"],\"url\":\""
                                    + receiver.url()
                                    + "\"}");
            for (var i = 0; i < 8; i++) {
                new TestWorker(node, "w-" + i, "echo");
            }
            await().untilAsserted(() ->
                    assertThat(
                                    client.get(
                                                    "/api/v1/webhooks/"
                                                            + made.object()
                                                                    .string("id")
                                                                    .orElseThrow()
                                                            + "/deliveries")
                                            .text())
                            .contains("given_up", "too many calls wait at this moment"));
        }
    }
}
