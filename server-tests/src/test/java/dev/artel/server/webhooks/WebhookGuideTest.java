package dev.artel.server.webhooks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.service.OptionalService;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The receiver of docs/howto/webhooks.md.
final class WebhookGuideTest {
    private static final Path RECEIVER =
            Path.of(System.getProperty("basedir", "."), "../examples/webhook-receiver/receiver.py");

    @TempDir Path folder;

    @Test
    void theReceiverOfTheGuide_hearsTheEndOfAJob() throws Exception {
        var python = OptionalService.PYTHON.program();
        var settings =
                WebhookSettings.DEFAULTS.withAllowHttp(true).withAllowPrivate(List.of("127.0.0.1"));
        try (var node =
                ArtelNode.start(
                        TestNodes.CONFIG.withIngress(
                                TestNodes.CONFIG.ingress().withWebhooks(settings)),
                        Blueprints.of(
                                Blueprint.named("quick")
                                        .start("begin", step -> Action.finish(step.initialData()))
                                        .build()),
                        new Storage(
                                new InMemoryEventStore(),
                                new InMemoryPayloadStore(),
                                new InMemoryFleet(),
                                new InMemoryKeyValueStore()))) {
            var client = TestClient.of(node);
            var log = folder.resolve("receiver.log");
            var builder = new ProcessBuilder(python, RECEIVER.toString());
            builder.environment()
                    .put(
                            "SECRET",
                            client.get("/api/v1/webhook-secret")
                                    .object()
                                    .string("secret")
                                    .orElseThrow());
            builder.redirectErrorStream(true).redirectOutput(log.toFile());
            var receiver = builder.start();
            try {
                await().untilAsserted(
                                () -> assertThat(Files.readString(log)).contains("listening on"));
                var port = Files.readString(log).replaceFirst("listening on ", "").strip();
                var job =
                        client.submit(
                                "{\"blueprint\":\"quick\",\"initial_data\":{},"
                                        + "\"webhook_url\":\"http://127.0.0.1:"
                                        + port
                                        + "/\"}");

                await().untilAsserted(() ->
                        assertThat(Files.readString(log)).contains("job_finished " + job));
            } finally {
                receiver.destroyForcibly().waitFor();
            }
        }
    }
}
