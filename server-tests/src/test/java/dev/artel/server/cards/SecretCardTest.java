package dev.artel.server.cards;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.artel.engine.shell.Blueprints;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.server.ArtelNode;
import dev.artel.server.LogLines;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.TestReceiver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Cards that name secrets, which the orchestrator's own worker alone knows.
final class SecretCardTest {
    private static final String VALUE = "hidden-value-0123456789";

    @TempDir private Path folder;
    private final ConcurrentLinkedQueue<String> received = new ConcurrentLinkedQueue<>();
    private HttpServer server;
    private Path data;
    private Path jars;

    /// Answers with what it was sent.
    @BeforeEach
    void begin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        var heard =
                                exchange.getRequestURI()
                                        + " "
                                        + exchange.getRequestHeaders().getFirst("Authorization")
                                        + " "
                                        + new String(
                                                exchange.getRequestBody().readAllBytes(), UTF_8);
                        received.add(heard);
                        var body = heard.getBytes(UTF_8);
                        var isBad = heard.startsWith("/bad");
                        exchange.sendResponseHeaders(isBad ? 403 : 200, body.length);
                        exchange.getResponseBody().write(body);
                    }
                });
        server.start();
        jars = Files.createDirectories(folder.resolve("jars"));
        data = Files.createDirectories(folder.resolve("data"));
        write(VALUE);
    }

    @AfterEach
    void end() {
        server.stop(0);
    }

    private void write(String value) throws IOException {
        Files.writeString(
                data.resolve("secrets.toml"),
                "[KEY]\nvalue = \"%s\"\nhosts = [\"localhost\"]\n".formatted(value));
    }

    private ArtelNode start() throws IOException {
        var file = folder.resolve("artel.yaml");
        Files.writeString(
                file,
                """
                http.port: 0
                data: %s
                blueprints.folder: %s
                blueprints.upload: true
                actions.enabled: true
                actions.http-hosts: localhost
                webhooks.allow-http: true
                webhooks.allow-private: 127.0.0.0/8
                """
                        .formatted(data, jars));
        return TestNodes.launched(file, jars, Blueprints.of());
    }

    private String card(String path) {
        return """
        metadata: {name: ask, version: 1.0.0, spec_version: "1.0"}
        spec:
          steps:
            - id: ask
              action: http_request
              params:
                url: "http://localhost:%d%s?sent=${input.sent}"
                method: POST
                headers: {Authorization: "Bearer ${secret.KEY}"}
                body: "${input}"
              output: answer
            - {id: end, type: complete, result: {text: "${answer.body}"}}
        """
                .formatted(server.getAddress().getPort(), path);
    }

    private static void take(TestClient client, String card) {
        assertThat(
                        client.post("/api/v1/admin/cards", card, "Content-Type", "application/yaml")
                                .status())
                .isEqualTo(201);
    }

    private static String allThatIsShown(TestClient client, String job) {
        var shown = new StringBuilder();
        for (var path :
                new String[] {
                    "", "/history", "/tasks", "/tasks/0", "/explain", "/logs", "/webhooks"
                }) {
            shown.append(client.get("/api/v1/jobs/" + job + path).text());
        }
        return shown.toString();
    }

    @Test
    void aSecret_isSent_andInNothingThatAnybodySees_norInTheData() throws IOException {
        try (var log = LogLines.of("dev.artel");
                var receiver = TestReceiver.good();
                var node = start()) {
            var client = TestClient.of(node);
            take(client, card("/ask"));
            assertThat(client.get("/api/v1/admin/secrets").items())
                    .containsExactly(
                            JsonObject.builder()
                                    .put("name", "KEY")
                                    .put("hosts", "localhost")
                                    .build());

            var job =
                    client.submit(
                            """
                            {"blueprint":"ask","webhook_url":"%s","initial_data":{"sent":"secret://KEY",
                             "$secrets":[{"at":"/body/sent","from":0,"name":"KEY"}],"text":"${secret.KEY}"}}
                            """
                                    .formatted(receiver.url()));
            var done = client.get("/api/v1/jobs/" + job + "?wait=60");

            assertThat(received.remove())
                    .contains(" Bearer " + VALUE + " ")
                    .contains("sent=secret://KEY")
                    .contains("\"sent\":\"secret://KEY\"")
                    .contains("${secret.KEY}");
            assertThat(done.object().object("result").flatMap(it -> it.string("text")).orElse(""))
                    .contains(" Bearer *** ");
            await("the call of the webhook").until(() -> !receiver.heard().isEmpty());
            assertThat(allThatIsShown(client, job))
                    .contains("Bearer secret://KEY")
                    .doesNotContain(VALUE);
            assertThat(receiver.heard().getFirst().body()).doesNotContain(VALUE);
            assertThat(log.texts()).noneMatch(line -> line.contains(VALUE));
        }
        try (var files = Files.walk(data)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("secrets.toml")) {
                    assertThat(Files.readString(file, java.nio.charset.StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain(VALUE);
                }
            }
        }
    }

    @Test
    void aFailure_hasNoSecret_anUnknownOneIsAFailureForGood_andAReloadBringsIt()
            throws IOException {
        try (var node = start()) {
            var client = TestClient.of(node);
            take(client, card("/bad"));
            take(
                    client,
                    card("/ask")
                            .replace("name: ask", "name: unknown")
                            .replace("secret.KEY", "secret.NEW"));

            var bad = client.submit("{\"blueprint\":\"ask\",\"initial_data\":{\"sent\":1}}");
            var failed = client.get("/api/v1/jobs/" + bad + "?wait=60");
            assertThat(failed.text()).contains("was answered with 403", "Bearer ***");
            assertThat(allThatIsShown(client, bad)).doesNotContain(VALUE);

            var submission = "{\"blueprint\":\"unknown\",\"initial_data\":{\"sent\":1}}";
            var unknown = client.submit(submission);
            assertThat(client.get("/api/v1/jobs/" + unknown + "?wait=60").text())
                    .contains("there is no secret 'NEW'");
            assertThat(received).hasSize(1);

            Files.writeString(
                    data.resolve("secrets.toml"),
                    "[NEW]\nvalue = \"%s\"\nhosts = [\"localhost\"]\n".formatted(VALUE));
            var reload = client.post("/api/v1/admin/reload", "");
            assertThat(reload.object().array("changed").orElse(JsonArray.EMPTY).toString())
                    .contains("secrets.toml");
            var job = client.submit(submission);
            assertThat(client.get("/api/v1/jobs/" + job + "?wait=60").text())
                    .contains("Bearer ***");

            Files.writeString(data.resolve("secrets.toml"), "[NEW]\nvalue = \"" + VALUE + "\"\n");
            assertThat(client.post("/api/v1/admin/reload", "").text())
                    .contains("secrets.toml:1: NEW must have hosts")
                    .doesNotContain(VALUE);

            Files.delete(data.resolve("secrets.toml"));
            assertThat(client.post("/api/v1/admin/reload", "").text())
                    .contains("there is no file", "with secrets; put it back");
            assertThat(client.get("/api/v1/admin/secrets").text()).contains("NEW");
            Files.createFile(data.resolve("secrets.toml"));
            client.post("/api/v1/admin/reload", "");
            assertThat(client.get("/api/v1/admin/secrets").text()).doesNotContain("NEW");
        }
    }
}
