package dev.artel.server.replay;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class HistoryReaderTest {
    /// Trap: the timeout of a request of Java ends with the head of the answer.
    @Test
    @Timeout(180)
    void anAnswerThatFallsSilent_isNotAwaitedForGood() throws IOException {
        var accepted = new ConcurrentLinkedQueue<Socket>();
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            var socket = server.accept();
                            accepted.add(socket);
                            socket.getOutputStream()
                                    .write(
                                            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"
                                                    .getBytes(US_ASCII));
                        } catch (IOException over) {
                            // The test is over.
                        }
                    });
            var reader =
                    new HistoryReader(
                            URI.create("http://127.0.0.1:" + server.getLocalPort()),
                            "token",
                            Duration.ofMillis(500));

            assertThatThrownBy(() -> reader.of("job-1"))
                    .isInstanceOf(ReplayFailed.class)
                    .hasMessageContaining("there was no whole answer within 0 s");
        }
        for (var socket : accepted) {
            socket.close();
        }
        assertThat(accepted).hasSizeLessThanOrEqualTo(1);
    }
}
