package dev.artel.gateway.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.gateway.access.WorkerTokens;
import dev.artel.testkit.transport.ManualClock;
import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The requests that are answered before the routes, in unusual forms.
@Timeout(Await.HUNG)
final class FastPathTest {
    private static final String REGISTRATION =
            "{\"worker_id\":\"w-1\",\"supported_tasks\":[\"echo\"]}";
    private static final String BEAT = "{\"load\":0,\"supported_tasks\":[\"echo\"]}";

    private final ManualClock clock = new ManualClock();
    private final ReferenceEngine engine = new ReferenceEngine(clock);
    private final GatewayServer server =
            new GatewayServer(0, clock, WorkerTokens.shared(GatewayServer.TOKEN));
    private final RawHttp http = new RawHttp(server.port);

    @BeforeEach
    void register() {
        server.connect(engine, engine::connect);
        http.send("POST", "/_worker/workers/register", REGISTRATION);
    }

    @AfterEach
    void close() {
        http.close();
        server.close();
    }

    /// Trap: the thread that reads all connections waits for the rest of one slow request.
    @Test
    void aHeartbeatThatArrivesInParts_isAnswered_andKeepsNobodyWaiting() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port)) {
            socket.setSoTimeout((int) Await.longest().toMillis());
            send(socket, head(BEAT.length()) + BEAT.substring(0, 5));
            assertThat(http.send("PATCH", "/_worker/workers/w-1", BEAT).status()).isEqualTo(200);
            send(socket, BEAT.substring(5, 10));
            assertThat(http.send("PATCH", "/_worker/workers/w-1", "{}").text())
                    .isEqualTo("{\"status\":\"ttl_refreshed\"}");
            send(socket, BEAT.substring(10));

            assertThat(statusLine(socket)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void aHeartbeatThatEndsEarly_isRefused() throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.port)) {
            socket.setSoTimeout((int) Await.longest().toMillis());
            send(socket, head(BEAT.length()) + BEAT.substring(0, 5));
            socket.shutdownOutput();

            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 400 ")
                    .contains("\"code\":\"incomplete_body\"");
        }
    }

    @Test
    void aNameThatIsEscaped_isThatOfTheSameWorker() {
        var plain = http.send("PATCH", "/_worker/workers/w-1", BEAT);
        var escaped = http.send("PATCH", "/_worker/workers/w%2D1", BEAT);

        assertThat(escaped).isEqualTo(plain);
        assertThat(plain.text()).contains("\"worker_id\":\"w-1\"");
    }

    @Test
    void whatMakesNoSense_isRefusedAsElsewhere() {
        var beat = http.send("PATCH", "/_worker/workers/w-1", "{\"load\":\"x\"}");
        var poll = http.send("GET", "/_worker/workers/w-1/tasks/next?max=0", null);
        var stranger = http.send("PATCH", "/_worker/workers/w-1", "guess", BEAT);

        assertThat(beat.status()).isEqualTo(400);
        assertThat(beat.error()).isEqualTo("Invalid body");
        assertThat(beat.text())
                .contains("\"code\":\"invalid_body\"", "load: expected a whole number");
        assertThat(poll.status()).isEqualTo(400);
        assertThat(stranger.status()).isEqualTo(401);
    }

    private static String head(int length) {
        return "PATCH /_worker/workers/w-1 HTTP/1.1\r\nHost: a\r\nX-Worker-Token: "
                + GatewayServer.TOKEN
                + "\r\nContent-Length: "
                + length
                + "\r\n\r\n";
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    private static String statusLine(Socket socket) throws IOException {
        var line = new StringBuilder();
        for (var next = socket.getInputStream().read();
                next >= 0 && next != '\r';
                next = socket.getInputStream().read()) {
            line.append((char) next);
        }
        return line.toString();
    }
}
