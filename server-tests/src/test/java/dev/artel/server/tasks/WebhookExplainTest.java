package dev.artel.server.tasks;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.ServerConfig;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.job.Outcomes;
import dev.artel.maintenance.Doctor;
import dev.artel.maintenance.Finding;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import dev.artel.server.wiring.StartChecks;
import dev.artel.waits.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Calls that are pending or given up show in the explanation of the job and in the doctor.
final class WebhookExplainTest {
    private static final WebhookSettings SETTINGS =
            WebhookSettings.DEFAULTS
                    .withAllowHttp(true)
                    .withAllowPrivate(List.of("127.0.0.1"))
                    .withRetries(
                            new WebhookSettings.Retries(
                                    2,
                                    Duration.ofHours(1),
                                    Duration.ofHours(2),
                                    Duration.ofHours(8),
                                    Await.longest()));

    @TempDir private Path folder;

    private ServerConfig config() {
        return TestNodes.CONFIG
                .withData(folder.resolve("data"))
                .withIngress(TestNodes.CONFIG.ingress().withWebhooks(SETTINGS));
    }

    private static ArtelNode node(ServerConfig config) {
        return ArtelNode.start(
                config,
                Blueprints.of(
                        Blueprint.named("quick")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build(),
                        Blueprint.named("asking")
                                .start(
                                        "ask",
                                        _ ->
                                                Action.awaitApproval(
                                                        "ship it?", Outcomes.on("yes", "end")))
                                .leadingTo("end")
                                .end("end")
                                .build()));
    }

    private static String submit(TestClient client, String blueprint, TestReceiver receiver) {
        return client.submit(
                "{\"blueprint\":\"" + blueprint + "\",\"webhook_url\":\"" + receiver.url() + "\"}");
    }

    private static JsonObject explained(TestClient client, String job) {
        return client.get("/api/v1/jobs/" + job + "/explain").object();
    }

    @Test
    void thePendingCallsOfAJob_areExplained_withWhereAndWhyAndWhen() {
        try (var deaf = new TestReceiver((_, _) -> 503);
                var node = node(config())) {
            var client = TestClient.of(node);
            var job = submit(client, "quick", deaf);

            await().untilAsserted(() ->
                    assertThat(explained(client, job).string("text").orElseThrow())
                            .startsWith(
                                    "it is over: finished; it still has to notify 127.0.0.1 of"
                                            + " job_finished (call ")
                            .contains(
                                    "tried 1 times, the last time: it answered 503; tried again"
                                            + " at 2"));
            var wait = (JsonObject) explained(client, job).array("waits").orElseThrow().get(0);
            assertThat(wait.string("for")).contains("webhook");
            assertThat(wait.string("host")).contains("127.0.0.1");
            assertThat(wait.string("unblock").orElseThrow()).contains("fix the receiver");
            assertThat(Instant.parse(wait.string("until").orElseThrow())).isAfter(Instant.now());
            var call = wait.string("call").orElseThrow();
            assertThat(client.get("/api/v1/jobs/" + job + "/webhooks").text()).contains(call);
        }
    }

    /// What it waits for itself comes first.
    @Test
    void aJobThatWaitsForMore_saysBoth() {
        try (var deaf = new TestReceiver((_, _) -> 503);
                var node = node(config())) {
            var client = TestClient.of(node);
            var job = submit(client, "asking", deaf);

            await().untilAsserted(() ->
                    assertThat(explained(client, job).array("waits").orElseThrow().size())
                            .isEqualTo(2));

            assertThat(explained(client, job).string("text").orElseThrow())
                    .contains("it waits for a person to decide: ship it?", "(and 1 more)");
        }
    }

    @Test
    void whatWasDelivered_isWaitedForNoMore() {
        try (var receiver = TestReceiver.good();
                var node = node(config())) {
            var client = TestClient.of(node);
            var job = submit(client, "quick", receiver);

            await().untilAsserted(() ->
                    assertThat(explained(client, job).string("text"))
                            .contains("it is over: finished"));
            assertThat(explained(client, job).array("waits")).contains(JsonArray.EMPTY);
        }
    }

    @Test
    void theDoctor_reportsWhatWasGivenUp_andWhatIsStuck() {
        try (var gone = new TestReceiver((_, _) -> 410);
                var node = node(config())) {
            var running = config().withPort(node.port());
            assertThat(Doctor.look(running, Instant.now(), new StartChecks(running)))
                    .contains(
                            new Finding(
                                    Finding.Level.OK,
                                    "webhooks",
                                    "0 calls given up since the start of the orchestrator, 0 wait"),
                            new Finding(
                                    Finding.Level.OK,
                                    "stuck",
                                    "no job waits for what cannot happen"));
            var client = TestClient.of(node);
            var job = submit(client, "quick", gone);
            await().untilAsserted(() ->
                    assertThat(client.get("/api/v1/jobs/" + job + "/webhooks").text())
                            .contains("given_up"));

            assertThat(Doctor.look(running, Instant.now(), new StartChecks(running)))
                    .filteredOn(finding -> finding.about().equals("webhooks"))
                    .singleElement()
                    .satisfies(finding -> {
                        assertThat(finding.level()).isEqualTo(Finding.Level.WARN);
                        assertThat(finding.text()).contains("1 calls given up", "redeliver");
                    });
        }
    }
}
