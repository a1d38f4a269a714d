package dev.artel.server.operations;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonObject;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.kernel.blueprint.BlueprintSource;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestClient;
import dev.artel.server.TestJar;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is read again while an orchestrator runs, with settings in a file.
final class ReloadTest {
    private static final String SECRET = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=";

    @TempDir private Path folder;
    private Path data;
    private Path file;
    private Path jars;

    @BeforeEach
    void makeFolders() throws IOException {
        data = folder.resolve("data");
        file = folder.resolve("artel.yaml");
        jars = Files.createDirectory(folder.resolve("jars"));
        settings("");
    }

    private void settings(String more) throws IOException {
        Files.writeString(
                file,
                "http.port: 0\ndata: "
                        + data
                        + "\nblueprints.folder: "
                        + jars
                        + "\nwebhooks.allow-http: true\nwebhooks.allow-private: 127.0.0.1\n"
                        + more);
    }

    private ArtelNode start() {
        return TestNodes.launched(
                file,
                jars,
                Blueprints.of(
                        Blueprint.named("quick")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build()));
    }

    /// A client that is no operator, whose rate is that of the settings.
    private void writeClients() throws IOException {
        Files.createDirectories(data);
        Files.writeString(
                data.resolve("clients.toml"), "[plain]\ntoken = \"token-of-plain-0123456\"\n");
    }

    private static TestClient plain(ArtelNode node) {
        return new TestClient(node.uri(), "X-Client-Token", "token-of-plain-0123456");
    }

    private static JsonObject reload(TestClient client) {
        var answer = client.post("/api/v1/admin/reload", "");
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        return answer.object();
    }

    private static String list(JsonObject report, String name) {
        return report.array(name).orElseThrow().toString();
    }

    @Test
    void whatIsAsItWas_isListed() {
        try (var node = start()) {
            var report = reload(TestClient.of(node));

            assertThat(list(report, "changed")).isEqualTo("[]");
            assertThat(list(report, "needs_restart")).isEqualTo("[]");
            assertThat(list(report, "unchanged"))
                    .isEqualTo(
                            "[\"settings\",\"clients and workers\",\"limits.toml\",\"prices.toml\",\"secrets.toml\",\"schedules.toml\",\"blueprints\"]");
        }
    }

    @Test
    void webhooksAndRates_areExchanged_andWhatIsNot_isNamed() throws IOException {
        writeClients();
        try (var receiver = TestReceiver.good();
                var node = start()) {
            var client = TestClient.of(node);
            settings(
                    "webhooks.subscriptions.on-call.url: "
                            + receiver.url()
                            + "\nwebhooks.subscriptions.on-call.secret: "
                            + SECRET
                            + "\naccess.rates.clients: 5\nhttp.max-body-bytes: 2MiB\n");

            var report = reload(client);

            assertThat(list(report, "changed"))
                    .isEqualTo("[\"webhooks.subscriptions.on-call\",\"access.rates.clients\"]");
            assertThat(list(report, "needs_restart")).isEqualTo("[\"http.max-body-bytes\"]");
            client.submit("{\"blueprint\":\"quick\"}");
            await().untilAsserted(() -> assertThat(receiver.heard()).hasSize(1));
            var plain = plain(node);
            for (var i = 0; i < 5; i++) {
                assertThat(plain.get("/api/v1/whoami").status()).isEqualTo(200);
            }
            await().pollInterval(Duration.ofMillis(1))
                    .until(() -> plain.get("/api/v1/whoami").status() == 429);
            await().untilAsserted(() ->
                    assertThat(Files.readString(data.resolve("audit.jsonl")))
                            .contains("webhooks.subscriptions.on-call", "needs a restart")
                            .doesNotContain(SECRET));

            settings("");
            assertThat(node.reload("a test")).isEmpty();
            assertThat(client.get("/api/v1/webhooks").text()).isEqualTo("{\"items\":[]}");
        }
    }

    /// Trap: the receiver before belongs to others now, and hears for a day what waited for it, signed with the new secret.
    @Test
    void aCallThatWaits_goesToTheAddressThatItsSubscriptionHasNow() throws IOException {
        try (var before = new TestReceiver((_, _) -> 500);
                var now = TestReceiver.good()) {
            var rest =
                    "\nwebhooks.subscriptions.on-call.secret: "
                            + SECRET
                            + "\nwebhooks.first-pause: 100ms\nwebhooks.longest-pause: 100ms\nwebhooks.attempts: 1000\n";
            settings("webhooks.subscriptions.on-call.url: " + before.url() + rest);
            try (var node = start()) {
                var client = TestClient.of(node);
                var job = client.submit("{\"blueprint\":\"quick\"}");
                await().untilAsserted(() -> assertThat(before.heard()).isNotEmpty());

                settings("webhooks.subscriptions.on-call.url: " + now.url() + rest);
                reload(client);

                await().untilAsserted(() ->
                        assertThat(now.heard())
                                .anyMatch(call ->
                                        call.json()
                                                .string("job_id")
                                                .filter(job::equals)
                                                .isPresent()));
                await().untilAsserted(() ->
                        assertThat(client.get("/api/v1/jobs/" + job + "/webhooks").text())
                                .contains("\"delivered\""));
            }
        }
    }

    /// Trap: one file with a mistake keeps all others from being read, or is in force by half.
    @Test
    void aMistakeInOneFile_leavesItsSettingsInForce_andHoldsUpNoOther() throws IOException {
        settings("access.rates.clients: 1000\n");
        writeClients();
        try (var node = start()) {
            var client = TestClient.of(node);
            settings("access.rates.clients: 1\nwebhooks.atempts: 3\n");
            Files.writeString(data.resolve("limits.toml"), "[\"tenant:*\"]\nconcurrent = 1\n");

            var answer = client.post("/api/v1/admin/reload", "");

            assertThat(answer.status()).isEqualTo(409);
            assertThat(list(answer.object(), "problems"))
                    .contains("unknown setting webhooks.atempts in " + file + ":7");
            assertThat(list(answer.object(), "changed")).isEqualTo("[\"limits.toml\"]");
            for (var i = 0; i < 5; i++) {
                assertThat(plain(node).get("/api/v1/whoami").status()).isEqualTo(200);
            }

            settings("access.rates.clients: 900\n");
            Files.writeString(data.resolve("limits.toml"), "[\"tenant:*\"]\nrate = 1\n");
            var other = client.post("/api/v1/admin/reload", "").object();
            assertThat(list(other, "problems"))
                    .contains("limits.toml:1: tenant:* needs both rate and per");
            assertThat(list(other, "changed")).isEqualTo("[\"access.rates.clients\"]");
        }
    }

    @Test
    void onlyAnOperatorReloads() {
        try (var node = start()) {
            assertThat(
                            new TestClient(node.uri(), "X-Client-Token", "")
                                    .post("/api/v1/admin/reload", "")
                                    .status())
                    .isEqualTo(401);
        }
    }

    /// Blueprints of a jar that comes later.
    public static final class LateSource implements BlueprintSource {
        /// For the loader of services.
        public LateSource() {}

        @Override
        public List<Blueprint> blueprints() {
            return List.of(
                    Blueprint.named("late")
                            .version("2")
                            .start("begin", step -> Action.finish(step.initialData()))
                            .build());
        }
    }

    private void jar(String name) throws IOException {
        Files.write(jars.resolve(name), TestJar.of(BlueprintSource.class, LateSource.class));
    }

    @Test
    void aJarThatHasCome_isTakenUp_andOneThatChanged_isNamed() throws IOException {
        try (var node = start()) {
            var client = TestClient.of(node);
            jar("late.jar");

            assertThat(list(reload(client), "changed")).isEqualTo("[\"blueprint late 2\"]");
            client.submit("{\"blueprint\":\"late\"}");

            Files.writeString(jars.resolve("late.jar"), "another");
            assertThat(list(reload(client), "needs_restart"))
                    .isEqualTo("[\"late.jar, which is not the jar that was read\"]");
            jar("same.jar");
            assertThat(client.post("/api/v1/admin/reload", "").detail())
                    .contains("same.jar: blueprint 'late' is registered already in version 2");
        }
    }
}
