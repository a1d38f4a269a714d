package dev.artel.worker.server;

import static dev.artel.waits.Await.await;
import static dev.artel.worker.server.hub.HubFixture.capabilities;
import static dev.artel.worker.server.hub.HubFixture.registration;
import static dev.artel.worker.server.hub.HubFixture.work;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.artel.waits.Await;
import dev.artel.worker.server.hub.CapturedLog;
import dev.artel.worker.server.hub.CloseCode;
import dev.artel.worker.server.hub.DispatchRequest;
import dev.artel.worker.server.hub.HubLimits;
import dev.artel.worker.server.hub.HubOptions;
import dev.artel.worker.server.hub.OrphanedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The listener: its end, its paths, its handlers, over real sockets.
@Timeout(Await.HUNG)
final class ListenerTest {
    private static final Duration LIMIT = Await.longest();
    private static final String PASSWORD = "for-tests-only";

    private WorkerServer server = new WorkerServer(WorkerServerOptions.onPort(0));

    @AfterEach
    void stop() {
        var _ = server.stop();
    }

    /// W17: a stop hung while a socket was open that did not close, and reported nothing.
    @Test
    void w17_aStop_endsEverySocket_andReturnsWhatIsInFlight() throws IOException {
        var dashboards = new AtomicInteger();
        server.addSocketEndpoint(
                "/ws/dash",
                SocketGuard.none(),
                _ -> {
                    dashboards.incrementAndGet();
                    return _ -> {};
                });
        server.start();
        var worker =
                TestWorker.open(server).registers(registration("w-1", capabilities(1, "sonnet")));
        var unregistered = TestWorker.open(server);
        var dashboard = TestWorker.open(server, "/ws/dash");
        assertThat(server.hub().dispatch(DispatchRequest.of(work("req-1")))).isPresent();
        try (var mute = handshake(server.port(), "/ws/worker");
                var muteDashboard = handshake(server.port(), "/ws/dash")) {
            await().until(() -> server.hub().connectionCount() == 3);
            await().until(() -> dashboards.get() == 2);

            var left = assertTimeoutPreemptively(LIMIT, server::stop);

            assertThat(left)
                    .extracting(OrphanedRequest::requestId, OrphanedRequest::reason)
                    .containsExactly(tuple("req-1", OrphanedRequest.Reason.STOPPED));
            assertThat(worker.closedWith()).isEqualTo(CloseCode.GOING_AWAY);
            assertThat(unregistered.closedWith()).isEqualTo(CloseCode.GOING_AWAY);
            assertThat(dashboard.closedWith()).isEqualTo(CloseCode.GOING_AWAY);
            assertThat(mute.getInputStream().readAllBytes()).isNotEmpty();
            assertThat(muteDashboard.getInputStream().readAllBytes()).isNotEmpty();
        }
    }

    @Test
    void aServerThatStopped_canBeStartedAgain() {
        server.start();
        TestWorker.open(server).registers(registration("w-1", capabilities(1, "sonnet")));
        var _ = server.stop();

        server.start();

        TestWorker.open(server).registers(registration("w-1", capabilities(1, "sonnet")));
        assertThat(server.hub().workerCount()).isEqualTo(1);
    }

    /// W18: a start that failed left a server that was "already running".
    @Test
    void w18_afterAFailedStart_theServerCanBeStarted() throws IOException {
        int port;
        try (var occupied = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = occupied.getLocalPort();
            server = new WorkerServer(WorkerServerOptions.onPort(port));
            assertThatThrownBy(server::start).isInstanceOf(UncheckedIOException.class);
            assertThatThrownBy(server::start)
                    .as("the second attempt fails for the same reason")
                    .isInstanceOf(UncheckedIOException.class);
        }

        server.start();

        assertThat(server.port()).isEqualTo(port);
    }

    /// W19: a handler that answered and then returned false, or threw, led to a second answer.
    @Test
    void w19_aHandlerThatAnswersAndReturnsFalse_isTheLastOne() throws Exception {
        var second = new CopyOnWriteArrayList<String>();
        server.addHttpHandler(call -> {
            call.respond(200, "text/plain", "first".getBytes(StandardCharsets.UTF_8));
            return false;
        });
        server.addHttpHandler(call -> second.add(call.path()));
        server.start();
        try (var log = new CapturedLog()) {
            assertThat(get("/").body()).isEqualTo("first");
            await().until(() -> log.warnings().size() == 1);
            assertThat(second).isEmpty();
        }
    }

    @Test
    void w19_aHandlerThatAnswersAndThrows_isTheLastOne() throws Exception {
        server.addHttpHandler(call -> {
            call.respond(200, "text/plain", "first".getBytes(StandardCharsets.UTF_8));
            throw new IOException("afterwards");
        });
        server.start();
        try (var log = new CapturedLog()) {
            assertThat(get("/").body()).isEqualTo("first");
            await().until(() -> log.errors().size() == 1);
        }
    }

    @Test
    void w19_aSecondAnswer_isRefused_andAHandlerWithoutOne_isAnsweredFor() throws Exception {
        server.addHttpHandler(call -> {
            if (call.path().equals("/twice")) {
                call.respond(200, "text/plain", new byte[0]);
                assertThatThrownBy(() -> call.respond(200, "text/plain", new byte[0]))
                        .isInstanceOf(IllegalStateException.class);
            }
            return true;
        });
        server.start();
        try (var log = new CapturedLog()) {
            assertThat(get("/twice").statusCode()).isEqualTo(200);
            assertThat(get("/never").statusCode()).isEqualTo(500);
            await().until(() -> log.errors().size() == 1);
        }
    }

    /// W20: frames of 100 MiB were taken.
    @Test
    void w20_aMessageAboveTheCap_closesWithItsCode_alsoInOneFrame() {
        server =
                new WorkerServer(
                        WorkerServerOptions.onPort(0)
                                .withHub(
                                        HubOptions.DEFAULTS.withLimits(
                                                HubLimits.DEFAULTS.withMaxMessageBytes(200_000))));
        server.hub().onMessage("t", _ -> {});
        server.start();
        var worker =
                TestWorker.open(server).registers(registration("w-1", capabilities(1, "sonnet")));

        worker.sends("{\"type\":\"t\",\"x\":\"" + "y".repeat(190_000) + "\"}");
        worker.sends("{\"type\":\"heartbeat\",\"workerId\":\"w-1\"}");
        assertThat(worker.next().string("type")).contains("heartbeat_ack");

        worker.sends("{\"type\":\"t\",\"x\":\"" + "y".repeat(200_000) + "\"}");
        assertThat(worker.closedWith()).isEqualTo(CloseCode.MESSAGE_TOO_LARGE);
    }

    /// W21: any path was one of workers, and a query led past the other endpoints.
    @Test
    void w21_workersHaveOnePath_whateverItsQuery() {
        server.start();

        TestWorker.open(server, "/ws/worker?token=x")
                .registers(registration("w-1", capabilities(1, "sonnet")));
        for (var path :
                new String[] {"/", "/ws", "/ws/worker/", "/ws/worker/x", "/ws/other?/ws/worker"}) {
            assertThatThrownBy(() -> TestWorker.open(server, path))
                    .as(path)
                    .isInstanceOf(CompletionException.class);
        }
        assertThat(server.hub().connectionCount()).isEqualTo(1);
    }

    /// W21: other endpoints had no authentication.
    @Test
    void w21_aGuard_decidesWhoOpensAnEndpoint() {
        var texts = new CopyOnWriteArrayList<String>();
        server.addSocketEndpoint(
                "/ws/dash", call -> call.query().orElse("").equals("key=1"), _ -> texts::add);
        server.start();

        assertThatThrownBy(() -> TestWorker.open(server, "/ws/dash"))
                .isInstanceOf(CompletionException.class);
        TestWorker.open(server, "/ws/dash?key=1").sends("hello");

        await().until(() -> texts.size() == 1);
        assertThat(server.hub().connectionCount()).isZero();
    }

    @Test
    void anEndpoint_canBeAddedAndRemovedWhileTheServerRuns_andAPathIsTakenOnce() {
        server.start();
        var remove = server.addSocketEndpoint("/ws/dash", SocketGuard.none(), _ -> _ -> {});
        TestWorker.open(server, "/ws/dash");
        assertThatThrownBy(() ->
                        server.addSocketEndpoint("/ws/worker", SocketGuard.none(), _ -> _ -> {}))
                .isInstanceOf(IllegalArgumentException.class);

        remove.run();

        assertThatThrownBy(() -> TestWorker.open(server, "/ws/dash"))
                .isInstanceOf(CompletionException.class);
    }

    @Test
    void anEndpoint_sendsThroughTheConnectionThatItTakes() {
        server.addSocketEndpoint(
                "/ws/echo",
                SocketGuard.none(),
                connection -> text -> connection.sendText(text, () -> {}, _ -> {}));
        server.start();

        var client = TestWorker.open(server, "/ws/echo").sends("{\"a\":1}");

        assertThat(client.next().number("a")).isPresent();
    }

    @Test
    void aBodyAboveItsBound_isRefused() throws Exception {
        server.addHttpHandler(call -> {
            call.respond(200, "text/plain", call.body(5));
            return true;
        });
        server.start();

        assertThat(post("12345").body()).isEqualTo("12345");
        assertThat(post("123456").statusCode()).isEqualTo(404);
    }

    @Test
    void withAKeyStore_itSpeaksTls(@TempDir Path folder) throws Exception {
        var store = keyStore(folder);
        server =
                new WorkerServer(
                        WorkerServerOptions.onPort(0).withKeyStore(store, PASSWORD.toCharArray()));
        server.start();
        try (var client = HttpClient.newBuilder().sslContext(trusting(store)).build()) {
            var answer =
                    client.send(
                            HttpRequest.newBuilder(
                                            URI.create("https://127.0.0.1:" + server.port() + "/"))
                                    .timeout(LIMIT)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(404);

            var worker =
                    TestWorker.open(
                            client, URI.create("wss://127.0.0.1:" + server.port() + "/ws/worker"));
            worker.registers(registration("w-1", capabilities(1, "sonnet")));
            assertThat(server.hub().workerCount()).isEqualTo(1);
            worker.closes();
        }
    }

    @Test
    void aKeyStoreThatIsNone_isRefusedByName(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("x.p12"), "nothing");

        assertThatThrownBy(() ->
                        WorkerServerOptions.onPort(0).withKeyStore(file, PASSWORD.toCharArray()))
                .hasMessageContaining("x.p12");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(HttpRequest.newBuilder(uri(path)).timeout(LIMIT).build());
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        return send(
                HttpRequest.newBuilder(uri("/"))
                        .timeout(LIMIT)
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    private static HttpResponse<String> send(HttpRequest request)
            throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        }
    }

    /// A client that opens a WebSocket and never answers a close.
    private static Socket handshake(int port, String path) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) LIMIT.toMillis());
        socket.getOutputStream()
                .write(
                        String.join(
                                        "\r\n",
                                        "GET " + path + " HTTP/1.1",
                                        "Host: 127.0.0.1",
                                        "Upgrade: websocket",
                                        "Connection: Upgrade",
                                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                                        "Sec-WebSocket-Version: 13",
                                        "",
                                        "")
                                .getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
        assertThat(socket.getInputStream().read()).isPositive();
        return socket;
    }

    private static Path keyStore(Path folder) throws IOException, InterruptedException {
        var store = folder.resolve("server.p12");
        var tool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "a",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=server",
                                "-ext",
                                "san=ip:127.0.0.1",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD)
                        .redirectErrorStream(true)
                        .start();
        var output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(tool.waitFor()).as(output).isZero();
        return store;
    }

    private static SSLContext trusting(Path store) throws Exception {
        var keys = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(store)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        var trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("a", keys.getCertificate("a"));
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        var context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
