package dev.artel.server.http;

import static dev.artel.waits.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.artel.client.ArtelClient;
import dev.artel.client.ClientException;
import dev.artel.client.ClientRetryPolicy;
import dev.artel.client.JobStatus;
import dev.artel.client.JobSubmission;
import dev.artel.config.ProxySettings;
import dev.artel.config.ServerConfig;
import dev.artel.config.TlsSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.server.TestCertificate;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import dev.artel.waits.Await;
import dev.artel.worker.Result;
import dev.artel.worker.Worker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Callers that certificates name, in place of tokens and beside them.
final class ClientCertificatesTest {
    private static final String REGISTER = "/_worker/workers/register";

    @TempDir private static Path certificates;
    private static TestCertificate server;
    private static TestCertificate gpu;
    private static TestCertificate machine;
    private static TestCertificate alice;
    private static TestCertificate stranger;

    @TempDir private Path data;
    private Path authorities;

    @BeforeAll
    static void makeCertificates() throws Exception {
        server = TestCertificate.make(certificates, "server", "-1d", 30);
        gpu = TestCertificate.make(certificates, "gpu-1", "-1d", 30);
        machine = TestCertificate.make(certificates, "machine-7.example", "-1d", 30);
        alice = TestCertificate.make(certificates, "alice", "-1d", 30);
        stranger = TestCertificate.make(certificates, "gpu-2", "-1d", 30);
    }

    @BeforeEach
    void nameCallers() throws IOException {
        authorities =
                Files.writeString(
                        data.resolve("authorities.pem"),
                        Files.readString(gpu.certificate())
                                + Files.readString(machine.certificate())
                                + Files.readString(alice.certificate()));
        Files.writeString(
                data.resolve("clients.toml"),
                """
                [alice]
                certificate = "alice"
                [bob]
                token = "token-of-bob-0123456789"
                """);
        Files.writeString(
                data.resolve("workers.toml"),
                """
                [render-1]
                certificate = "machine-7.example"
                [other]
                token = "token-of-other-0123456789"
                ["pool-*"]
                token = "token-of-pool-0123456789"
                """);
    }

    private ArtelNode start(boolean areRequired) {
        var tls =
                new TlsSettings(server.certificate(), server.key())
                        .withCallers(authorities, areRequired);
        ServerConfig config = TestNodes.CONFIG.withData(data);
        return ArtelNode.start(
                config.withIngress(config.ingress().withTls(tls)), SampleBlueprints.all());
    }

    private static HttpResponse<String> send(
            ArtelNode node, SSLContext tls, String path, String body, String... headers)
            throws Exception {
        var request = HttpRequest.newBuilder(node.uri().resolve(path)).timeout(Await.longest());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try (var http = HttpClient.newBuilder().sslContext(tls).build()) {
            return http.send(
                    (body.isEmpty() ? request.GET() : request.POST(BodyPublishers.ofString(body)))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    private static int register(ArtelNode node, SSLContext tls, String worker, String... headers)
            throws Exception {
        return send(
                        node,
                        tls,
                        REGISTER,
                        "{\"worker_id\":\"" + worker + "\",\"supported_tasks\":[\"echo\"]}",
                        headers)
                .statusCode();
    }

    @Test
    void aWorker_isTheOneThatItsCertificateNames_andNoOther() throws Exception {
        try (var node = start(true)) {
            var asGpu = gpu.calling(server);
            var asMachine = machine.calling(server);

            assertThat(register(node, asGpu, "gpu-1")).isEqualTo(200);
            assertThat(register(node, asGpu, "gpu-2")).isEqualTo(403);
            assertThat(register(node, asMachine, "render-1")).isEqualTo(200);
            assertThat(register(node, asMachine, "machine-7.example")).isEqualTo(403);
            assertThat(send(node, asGpu, "/_worker/workers/gpu-1", "{}").statusCode())
                    .isEqualTo(405);
            send(node, alice.calling(server), "/api/v1/jobs", "{\"blueprint\":\"echo\"}");
            assertThat(send(node, asGpu, "/_worker/workers/gpu-1/tasks/next", "").body())
                    .contains("\"type\":\"echo\"");
            assertThat(send(node, asGpu, "/_worker/workers/render-1/tasks/next", "").statusCode())
                    .isEqualTo(403);
        }
    }

    @Test
    void aTokenBesideACertificate_mustBeOneOfTheSameWorker() throws Exception {
        try (var node = start(false)) {
            var asGpu = gpu.calling(server);

            assertThat(register(node, asGpu, "gpu-1", "X-Worker-Token", node.workerToken()))
                    .isEqualTo(200);
            assertThat(register(node, asGpu, "gpu-9", "X-Worker-Token", node.workerToken()))
                    .isEqualTo(403);
            for (var token : List.of("token-of-other-0123456789", "token-of-pool-0123456789")) {
                assertThat(register(node, asGpu, "other", "Authorization", "Bearer " + token))
                        .isEqualTo(403);
                assertThat(register(node, asGpu, "pool-1", "Authorization", "Bearer " + token))
                        .isEqualTo(403);
            }
            // Libraries send a text of their own where no token is set.
            assertThat(register(node, asGpu, "gpu-1", "X-Worker-Token", "of-nobody"))
                    .isEqualTo(200);
            assertThat(register(node, asGpu, "gpu-9", "X-Worker-Token", "of-nobody"))
                    .isEqualTo(403);
            assertThat(
                            register(
                                    node,
                                    server.trusting(),
                                    "gpu-9",
                                    "X-Worker-Token",
                                    node.workerToken()))
                    .isEqualTo(200);
        }
    }

    @Test
    void aTokenThatWasExchangedForACertificate_isThatOfItsWorker() throws Exception {
        try (var node = start(false)) {
            var answer = send(node, gpu.calling(server), "/_worker/auth/token", "{}");
            var pair = (JsonObject) JsonText.read(answer.body());
            assertThat(pair.string("worker_id")).contains("gpu-1");
            var token = "Bearer " + pair.string("access_token").orElseThrow();

            assertThat(register(node, gpu.calling(server), "gpu-1", "Authorization", token))
                    .isEqualTo(200);
            assertThat(register(node, server.trusting(), "gpu-1", "Authorization", token))
                    .isEqualTo(200);
            assertThat(register(node, server.trusting(), "gpu-2", "Authorization", token))
                    .isEqualTo(403);
            assertThat(register(node, machine.calling(server), "gpu-1", "Authorization", token))
                    .isEqualTo(403);
            // As after a restart, which knows nothing of it.
            assertThat(
                            register(
                                    node,
                                    gpu.calling(server),
                                    "gpu-1",
                                    "Authorization",
                                    "Bearer artel-x1.AAAA"))
                    .isEqualTo(200);
        }
    }

    @Test
    void aClient_isTheOneWhoseTableNamesItsCertificate_andNoBrowserActsForIt() throws Exception {
        try (var node = start(false)) {
            var asAlice = alice.calling(server);

            assertThat(send(node, asAlice, "/api/v1/whoami", "").body()).contains("\"alice\"");
            assertThat(
                            send(
                                            node,
                                            asAlice,
                                            "/api/v1/whoami",
                                            "",
                                            "Authorization",
                                            "Bearer token-of-bob-0123456789")
                                    .statusCode())
                    .isEqualTo(403);
            for (var header : List.of("Origin", "Sec-Fetch-Site", "Cookie")) {
                assertThat(send(node, asAlice, "/api/v1/whoami", "", header, "a=b").statusCode())
                        .as(header)
                        .isEqualTo(401);
                // Trap: with such a header the token of another is taken beside any certificate.
                assertThat(
                                send(
                                                node,
                                                asAlice,
                                                "/api/v1/whoami",
                                                "",
                                                header,
                                                "a=b",
                                                "Authorization",
                                                "Bearer token-of-bob-0123456789")
                                        .statusCode())
                        .as(header)
                        .isEqualTo(403);
                assertThat(
                                register(
                                        node,
                                        gpu.calling(server),
                                        "gpu-9",
                                        header,
                                        "a=b",
                                        "X-Worker-Token",
                                        node.workerToken()))
                        .as(header)
                        .isEqualTo(403);
            }
            assertThat(send(node, gpu.calling(server), "/api/v1/whoami", "").statusCode())
                    .isEqualTo(401);
            assertThat(register(node, asAlice, "alice")).isEqualTo(401);
            // A page may have a browser send what needs no leave of its receiver.
            assertThat(register(node, gpu.calling(server), "gpu-1", "Origin", "https://x.example"))
                    .isEqualTo(401);
        }
    }

    /// Trap: a proxy shows a certificate of its own, and each stranger who sends a request through it is the worker of that name.
    @Test
    void aCertificateOfATrustedProxy_namesNobody() throws Exception {
        var tls =
                new TlsSettings(server.certificate(), server.key()).withCallers(authorities, true);
        var config = TestNodes.CONFIG.withData(data);
        var proxy = ProxySettings.DEFAULTS.withTrusted(List.of("127.0.0.1"));
        try (var node =
                ArtelNode.start(
                        config.withIngress(config.ingress().withTls(tls).withProxy(proxy)),
                        SampleBlueprints.all())) {
            assertThat(register(node, gpu.calling(server), "gpu-1")).isEqualTo(401);
            assertThat(send(node, alice.calling(server), "/api/v1/whoami", "").statusCode())
                    .isEqualTo(401);
            assertThat(
                            register(
                                    node,
                                    gpu.calling(server),
                                    "gpu-1",
                                    "X-Worker-Token",
                                    node.workerToken()))
                    .isEqualTo(200);
        }
    }

    /// Trap: an operator takes a certificate out of the file, and what its worker got for it stays good for a day.
    @Test
    void whatWasExchangedForACertificate_endsWithItsTable() throws Exception {
        try (var node = start(false)) {
            var answer = send(node, machine.calling(server), "/_worker/auth/token", "{}");
            var pair = (JsonObject) JsonText.read(answer.body());
            var token = "Bearer " + pair.string("access_token").orElseThrow();
            assertThat(register(node, server.trusting(), "render-1", "Authorization", token))
                    .isEqualTo(200);

            Files.writeString(data.resolve("workers.toml"), "");
            assertThat(node.reload("a test")).isEmpty();

            assertThat(register(node, server.trusting(), "render-1", "Authorization", token))
                    .isEqualTo(401);
            var refreshed =
                    send(
                            node,
                            server.trusting(),
                            "/_worker/auth/refresh",
                            "{\"refresh_token\":\""
                                    + pair.string("refresh_token").orElseThrow()
                                    + "\"}");
            assertThat(refreshed.statusCode()).as(refreshed.body()).isEqualTo(401);
        }
    }

    private void remove(TestCertificate authority, ArtelNode node) throws IOException {
        Files.writeString(
                authorities,
                Files.readString(authorities)
                        .replace(Files.readString(authority.certificate()), ""));
        assertThat(node.reload("a test")).isEmpty();
    }

    private static HttpRequest.Builder request(ArtelNode node, String path) {
        return HttpRequest.newBuilder(node.uri().resolve(path)).timeout(Await.longest());
    }

    /// Trap: an operator removes an authority, and who has a connection that is older goes on over it.
    @Test
    void whenAnAuthorityIsRemoved_theConnectionsThatBeganWithIt_end() throws Exception {
        try (var node = start(true);
                var asGpu = HttpClient.newBuilder().sslContext(gpu.calling(server)).build();
                var asAlice = HttpClient.newBuilder().sslContext(alice.calling(server)).build();
                var asMachine =
                        HttpClient.newBuilder().sslContext(machine.calling(server)).build()) {
            var ready = request(node, "/readyz").build();
            for (var each : List.of(asGpu, asMachine)) {
                assertThat(each.send(ready, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
            }
            try (var events =
                    asAlice.send(
                                    request(node, "/api/v1/events").build(),
                                    BodyHandlers.ofInputStream())
                            .body()) {
                var end = CompletableFuture.runAsync(() -> readToTheEnd(events));

                remove(gpu, node);
                remove(alice, node);

                await("the stream of alice ends").until(end::isDone);
            }
            for (var each : List.of(asGpu, asAlice)) {
                assertThatThrownBy(() -> each.send(ready, BodyHandlers.ofString()))
                        .isInstanceOf(IOException.class);
            }
            assertThat(asMachine.send(ready, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
        }
    }

    private static void readToTheEnd(InputStream events) {
        try {
            events.transferTo(OutputStream.nullOutputStream());
        } catch (IOException cut) {
            throw new UncheckedIOException("the stream was cut", cut);
        }
    }

    @Test
    void whatWasExchangedForACertificate_endsWithItsAuthority() throws Exception {
        try (var node = start(false)) {
            var answer = send(node, gpu.calling(server), "/_worker/auth/token", "{}");
            var pair = (JsonObject) JsonText.read(answer.body());
            var token = "Bearer " + pair.string("access_token").orElseThrow();
            assertThat(register(node, server.trusting(), "gpu-1", "Authorization", token))
                    .isEqualTo(200);

            remove(gpu, node);

            assertThat(register(node, server.trusting(), "gpu-1", "Authorization", token))
                    .isEqualTo(401);
            assertThat(register(node, machine.calling(server), "render-1")).isEqualTo(200);
        }
    }

    /// Trap: a client or worker of the SDK has no way to show a certificate, and is shut out where one is required.
    @Test
    void theSdk_showsItsCertificate_andIsLetInWhereOneIsRequired() throws Exception {
        try (var node = start(true);
                var client =
                        ArtelClient.of(
                                node.uri(), "", ClientRetryPolicy.DEFAULTS, alice.calling(server));
                var polling = echoing("gpu-1", node.uri(), "", gpu.calling(server));
                var pushed =
                        echoing(
                                "pusher-1",
                                URI.create(node.uri().toString().replace("https:", "wss:")),
                                node.workerToken(),
                                machine.calling(server))) {
            for (var worker : List.of(polling, pushed)) {
                worker.start();
                var job = client.submit(JobSubmission.of("echo", JsonObject.EMPTY));

                assertThat(client.awaitFinal(job, Await.longest()).status())
                        .isEqualTo(JobStatus.FINISHED);
                worker.close();
            }
            try (var nobody =
                    ArtelClient.of(
                            node.uri(),
                            node.clientToken(),
                            ClientRetryPolicy.DEFAULTS.withTotal(Duration.ofMillis(1)),
                            server.trusting())) {
                assertThatThrownBy(() -> nobody.api().get("/api/v1/whoami"))
                        .isInstanceOf(ClientException.Unreachable.class);
            }
        }
    }

    private static Worker echoing(String id, URI address, String token, SSLContext tls) {
        return Worker.named(id)
                .orchestrator(address, token)
                .tls(tls)
                .handle("echo", JsonObject.class, (params, _) -> Result.success(params))
                .build();
    }

    @Test
    void withoutACertificateOfAnAuthority_nobodyConnects_whereOneIsRequired() throws Exception {
        try (var node = start(true)) {
            for (var nobody : List.of(server.trusting(), stranger.calling(server))) {
                assertThatThrownBy(() -> send(node, nobody, "/readyz", ""))
                        .isInstanceOf(IOException.class);
            }
            Files.writeString(
                    authorities,
                    Files.readString(authorities) + Files.readString(stranger.certificate()));
            assertThat(node.reload("a test")).isEmpty();
            assertThat(register(node, stranger.calling(server), "gpu-2")).isEqualTo(200);
        }
    }
}
