package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Await.HUNG)
final class SocketConnectionTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final CompletableFuture<String> ended = new CompletableFuture<>();
    private ServerSocket server;
    private Orchestrator orchestrator;

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        orchestrator = new Orchestrator(URI.create("ws://127.0.0.1:" + server.getLocalPort()), "");
    }

    @AfterEach
    void stop() throws IOException {
        http.shutdownNow();
        server.close();
    }

    /// The WebSocket of the JDK reads the end of the connection meanwhile, and never reports it.
    @Test
    void anEndThatComesWhileAMessageIsTaken_isNoticedWithoutAnyFurtherMessage() throws Exception {
        var isTaken = new CountDownLatch(1);
        var isRead = new CountDownLatch(1);
        var receiver =
                new SocketConnection.Receiver(
                        _ -> {
                            isTaken.countDown();
                            awaitSafely(isRead);
                        },
                        () -> {},
                        (_, cause) -> ended.complete(cause));
        var accepting = CompletableFuture.supplyAsync(this::accept);
        SocketConnection.open(http, orchestrator, receiver, NEVER, SOON);
        try (var near = accepting.join()) {
            near.getOutputStream().write(new byte[] {(byte) 0x81, 2, 'h', 'i'});
            assertThat(isTaken.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        }
        // What comes over a later connection of the same client is read later.
        for (var i = 0; i < 2; i++) {
            var later = CompletableFuture.supplyAsync(this::accept);
            SocketConnection.probe(http, orchestrator, SOON);
            later.join().close();
        }
        isRead.countDown();

        assertThat(ended.get(Await.seconds(), TimeUnit.SECONDS)).isNotBlank();
    }

    private static void awaitSafely(CountDownLatch latch) {
        try {
            assertThat(latch.await(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /// Takes a connection and agrees to the upgrade.
    private Socket accept() {
        try {
            var near = server.accept();
            var lines = new BufferedReader(new InputStreamReader(near.getInputStream(), US_ASCII));
            var key = "";
            for (var line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                if (line.regionMatches(true, 0, "Sec-WebSocket-Key:", 0, 18)) {
                    key = line.substring(18).strip();
                }
            }
            var hash =
                    MessageDigest.getInstance("SHA-1")
                            .digest(
                                    (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                                            .getBytes(US_ASCII));
            near.getOutputStream()
                    .write(
                            ("HTTP/1.1 101 Switching Protocols\r\n"
                                            + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
                                            + "Sec-WebSocket-Accept: "
                                            + Base64.getEncoder().encodeToString(hash)
                                            + "\r\n\r\n")
                                    .getBytes(US_ASCII));
            return near;
        } catch (IOException | NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
