package dev.artel.worker.link;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Answers that begin and do not go on.
@Timeout(180)
final class TimedAnswersTest {
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofMinutes(3);

    @TempDir private Path folder;
    private final ConcurrentLinkedQueue<Socket> accepted = new ConcurrentLinkedQueue<>();
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .build();
    private ServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        http.shutdownNow();
        server.close();
        for (var socket : accepted) {
            socket.close();
        }
    }

    private void answers(String answer) {
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        var socket = server.accept();
                        accepted.add(socket);
                        socket.getOutputStream().write(answer.getBytes(US_ASCII));
                    } catch (IOException over) {
                        // The test is over.
                    }
                });
    }

    private <T> T body(BodyHandler<T> handler, Duration silence, Duration longest)
            throws IOException, InterruptedException {
        var request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.getLocalPort()))
                        .timeout(LONG)
                        .build();
        return TimedAnswers.send(http, request, handler, silence, longest).body();
    }

    @Test
    void aWholeAnswer_isGiven() throws Exception {
        answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");

        assertThat(body(BodyHandlers.ofString(), LONG, LONG)).isEqualTo("{}");
    }

    /// Trap: the timeout of a request of Java ends with the head of the answer, and a worker never polls again.
    @Test
    void anAnswerThatFallsSilent_isNoAnswer() {
        answers("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");

        assertThatThrownBy(() -> body(BodyHandlers.ofByteArray(), SHORT, LONG))
                .isInstanceOf(HttpTimeoutException.class)
                .hasMessageContaining("does not go on");
    }

    @Test
    void aFileThatFallsSilent_orTakesTooLong_isNoAnswer() {
        answers("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        assertThatThrownBy(() -> body(BodyHandlers.ofFile(folder.resolve("a")), SHORT, LONG))
                .isInstanceOf(HttpTimeoutException.class);

        answers("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        assertThatThrownBy(() -> body(BodyHandlers.ofFile(folder.resolve("b")), LONG, SHORT))
                .isInstanceOf(HttpTimeoutException.class);
    }

    @Test
    void aConnectionThatBreaks_isReportedAsSuch() {
        Thread.ofVirtual()
                .start(() -> {
                    try (var socket = server.accept()) {
                        socket.getOutputStream().write("HTTP/1.1 200 OK\r\n".getBytes(US_ASCII));
                    } catch (IOException over) {
                        // The test is over.
                    }
                });

        assertThatThrownBy(() -> body(BodyHandlers.ofByteArray(), LONG, LONG))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(HttpTimeoutException.class);
    }
}
