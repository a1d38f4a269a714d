package dev.artel.e2e.wires;

import static dev.artel.e2e.wires.WireNode.TASK;
import static dev.artel.e2e.wires.WireNode.WORKER;
import static dev.artel.e2e.wires.WireNode.done;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.config.Secret;
import dev.artel.config.ZeroMqSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.zeromq.ZMQ;

/// Workers of the SDK with an orchestrator that encrypts ZeroMQ, and takes the workers of a list alone.
@Timeout(Await.HUNG)
final class EncryptedWireTest {
    private final ZMQ.Curve.KeyPair orchestrator = ZMQ.Curve.generateKeyPair();
    private final ZMQ.Curve.KeyPair worker = ZMQ.Curve.generateKeyPair();

    @TempDir Path folder;

    private WireNode node;

    @BeforeEach
    void start() throws IOException {
        var list = folder.resolve("workers.keys");
        Files.writeString(list, worker.publicKey + "\n");
        node =
                new WireNode(
                        folder.resolve("data"),
                        new ZeroMqSettings.Curve(
                                Optional.of(orchestrator.publicKey),
                                Optional.of(new Secret(orchestrator.secretKey)),
                                Optional.of(list)));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Worker worker(List<URI> uris) {
        var worker =
                Worker.named("w1")
                        .orchestrator(uris, WORKER)
                        .longestBackoff(Duration.ofSeconds(1))
                        .withoutShutdownHook()
                        .handle(
                                TASK,
                                (text, _) ->
                                        Result.success(
                                                JsonObject.of(
                                                        "text",
                                                        JsonValue.of(
                                                                text.text()
                                                                        .toUpperCase(
                                                                                Locale.ROOT)))))
                        .build();
        worker.start();
        return worker;
    }

    private static String member(String name, String value) {
        return "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private URI encrypted(String serverKey, String more) {
        return URI.create(node.zeromq() + member("server-key", serverKey) + more);
    }

    @Test
    void aWorkerWhoseCertificateIsListed_doesTasks() throws IOException {
        var file = folder.resolve("worker.key_secret");
        Files.writeString(
                file,
                "curve\n    public-key = \"%s\"\n    secret-key = \"%s\"\n"
                        .formatted(worker.publicKey, worker.secretKey));
        var uri = encrypted(orchestrator.publicKey, member("certificate", file.toString()));

        try (var _ = worker(List.of(uri))) {
            assertThat(done(node.submit("hello"))).isEqualTo("HELLO");
            assertThat(node.wire("w1")).isEqualTo("zeromq");
        }
    }

    @Test
    void aWorkerWithWrongKeys_isNotServedOverZeroMq_andFallsBack() {
        var other = ZMQ.Curve.generateKeyPair();
        var unlisted =
                encrypted(
                        orchestrator.publicKey,
                        member("public-key", other.publicKey)
                                + member("secret-key", other.secretKey));
        var mistaken =
                encrypted(
                        other.publicKey,
                        member("public-key", worker.publicKey)
                                + member("secret-key", worker.secretKey));

        for (var uri : List.of(unlisted, mistaken, node.zeromq())) {
            try (var _ = worker(List.of(uri, node.http()))) {
                assertThat(done(node.submit("hello"))).isEqualTo("HELLO");
                assertThat(node.wire("w1")).isEqualTo("http");
            }
        }
    }
}
