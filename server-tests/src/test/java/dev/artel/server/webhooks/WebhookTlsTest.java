package dev.artel.server.webhooks;

import static dev.artel.waits.Await.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.artel.config.WebhookSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.kernel.blueprint.Action;
import dev.artel.kernel.blueprint.Blueprint;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestCertificate;
import dev.artel.server.TestClient;
import dev.artel.server.TestNodes;
import dev.artel.server.wiring.StartupException;
import dev.artel.server.wiring.Storage;
import dev.artel.testkit.store.InMemoryEventStore;
import dev.artel.testkit.store.InMemoryFleet;
import dev.artel.testkit.store.InMemoryKeyValueStore;
import dev.artel.testkit.store.InMemoryPayloadStore;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A receiver that speaks TLS with a certificate that nobody but its owner knows.
final class WebhookTlsTest {
    private static final WebhookSettings SETTINGS =
            WebhookSettings.DEFAULTS
                    .withAllowPrivate(List.of("127.0.0.0/8"))
                    .withRetries(
                            new WebhookSettings.Retries(
                                    2,
                                    Duration.ofMillis(20),
                                    Duration.ofMillis(20),
                                    Duration.ofMinutes(10),
                                    Await.longest()));

    @TempDir private static Path folder;
    private static TestCertificate certificate;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private HttpsServer receiver;

    @BeforeAll
    static void make() throws Exception {
        certificate = TestCertificate.make(folder, "receiver", "-1d", 30);
    }

    @BeforeEach
    void listen() throws Exception {
        receiver =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        receiver.setHttpsConfigurator(new HttpsConfigurator(certificate.serving()));
        receiver.createContext(
                "/",
                exchange -> {
                    heard.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                    exchange.sendResponseHeaders(204, -1);
                    exchange.close();
                });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private static ArtelNode node(WebhookSettings settings) {
        return ArtelNode.start(
                TestNodes.CONFIG.withIngress(TestNodes.CONFIG.ingress().withWebhooks(settings)),
                Blueprints.of(
                        Blueprint.named("quick")
                                .start("begin", step -> Action.finish(step.initialData()))
                                .build()),
                new Storage(
                        new InMemoryEventStore(),
                        new InMemoryPayloadStore(),
                        new InMemoryFleet(),
                        new InMemoryKeyValueStore()));
    }

    private String deliveries(ArtelNode node, String host, String state) {
        return deliveries(node, host, receiver.getAddress().getPort(), state);
    }

    private static String deliveries(ArtelNode node, String host, int port, String state) {
        var client = TestClient.of(node);
        var job =
                client.submit(
                        "{\"blueprint\":\"quick\",\"webhook_url\":\"https://"
                                + host
                                + ":"
                                + port
                                + "/\"}");
        var path = "/api/v1/jobs/" + job + "/webhooks";
        await().untilAsserted(() -> assertThat(client.get(path).text()).contains(state));
        return client.get(path).text();
    }

    @Test
    void aCertificateThatIsTrusted_isEnough() {
        try (var node = node(SETTINGS.withTrusted(certificate.certificate()))) {
            deliveries(node, "127.0.0.1", "\"delivered\"");

            assertThat(heard).singleElement().asString().contains("job_finished");
        }
    }

    /// Trap: a receiver changes its keys without end, each change costs a hundred times what it costs to send it, and 64 calls keep all processors.
    @Test
    void aReceiverThatChangesItsKeysOverAndOver_isLeft() throws Exception {
        try (var greedy =
                        (SSLServerSocket)
                                certificate
                                        .serving()
                                        .getServerSocketFactory()
                                        .createServerSocket(
                                                0, 5, InetAddress.getLoopbackAddress());
                var node = node(SETTINGS.withTrusted(certificate.certificate()))) {
            Thread.ofVirtual().start(() -> changeKeys(greedy));

            assertThat(deliveries(node, "127.0.0.1", greedy.getLocalPort(), "\"given_up\""))
                    .contains("the host sends much that is no part of an answer");
        }
    }

    /// In TLS 1.3 each handshake but the first is a change of keys.
    private static void changeKeys(SSLServerSocket greedy) {
        while (!greedy.isClosed()) {
            try (var socket = (SSLSocket) greedy.accept()) {
                while (true) {
                    socket.startHandshake();
                }
            } catch (IOException left) {
                // The orchestrator has read enough, or the test is over.
            }
        }
    }

    @Test
    void aCertificateThatNobodyVouchesFor_isNotTalkedTo_andItSaysWhatToDo() {
        try (var node = node(SETTINGS)) {
            assertThat(deliveries(node, "127.0.0.1", "\"given_up\""))
                    .contains(
                            "no trusted authority vouches for the certificate of 127.0.0.1",
                            "webhooks.trusted");
            assertThat(heard).isEmpty();
        }
    }

    /// Trap: a good certificate of somebody else.
    @Test
    void aCertificateForAnotherName_isNotTalkedTo() {
        try (var node = node(SETTINGS.withTrusted(certificate.certificate()))) {
            assertThat(deliveries(node, "localhost", "\"given_up\""))
                    .contains("the certificate of localhost is not good");
            assertThat(heard).isEmpty();
        }
    }

    @Test
    void aFileWithoutCertificates_preventsTheStart() throws IOException {
        var missing = folder.resolve("missing.pem");
        var empty = Files.writeString(folder.resolve("empty.pem"), "");
        var torn = Files.writeString(folder.resolve("torn.pem"), "-----BEGIN CERTIFICATE-----\nx");

        for (var file : List.of(missing, empty, torn)) {
            assertThatThrownBy(() -> node(SETTINGS.withTrusted(file)))
                    .isInstanceOf(StartupException.class)
                    .hasMessageContainingAll("webhooks.trusted", file.toString());
        }
    }
}
