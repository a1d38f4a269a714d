package dev.artel.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.testkit.transport.ReferenceEngine;
import dev.artel.testkit.transport.WorkerWire;
import dev.artel.waits.Await;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// How a poller goes away, and how soon that is known: at once, while it waits. By the clock of the orchestrator, which stands still,
/// the poll would be held forever.
@Timeout(Await.HUNG)
final class DisconnectDetectorTest {
    private static final String POLL =
            """
            GET /_worker/workers/w1/tasks/next HTTP/1.1\r
            Host: localhost\r
            X-Worker-Token: %s\r
            \r
            """
                    .formatted(GatewayServer.TOKEN);

    private final HttpWire wire = new HttpWire();
    private final ReferenceEngine engine = wire.engine();

    @BeforeEach
    void register() {
        wire.peer("w1").register(WorkerWire.registration("w1", 3, "echo"));
    }

    @AfterEach
    void close() {
        wire.close();
    }

    @Test
    void aKilledProcess_isNoticedWhileItsPollWaits() throws Exception {
        var script =
                "exec 3<>/dev/tcp/127.0.0.1/"
                        + wire.port()
                        + "; printf %s \"$0\" >&3; exec cat <&3";
        var process = new ProcessBuilder(List.of("bash", "-c", script, POLL)).start();
        try {
            engine.await("the poll asks", () -> engine.asks("w1") == 1);

            process.destroyForcibly();

            engine.await("the ask is withdrawn", () -> engine.asks("w1") == 0);
            var job = engine.submit("echo");
            assertThat(engine.attempts(job)).isZero();
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(Await.seconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void aConnectionThatIsReset_isNoticedWhileItsPollWaits() throws Exception {
        var socket = poll();

        socket.setSoLinger(true, 0);
        socket.close();

        engine.await("the ask is withdrawn", () -> engine.asks("w1") == 0);
    }

    @Test
    void aSenderThatOnlyEndsItsSide_isAnsweredAtOnceWithNothing() throws Exception {
        try (var socket = poll()) {
            socket.shutdownOutput();

            assertThat(statusLine(socket.getInputStream())).isEqualTo("HTTP/1.1 204 No Content");
            engine.await("the ask is withdrawn", () -> engine.asks("w1") == 0);
        }
    }

    @Test
    void aRequestSentTooEarly_endsThePollAndTheConnection() throws Exception {
        try (var socket = poll()) {
            socket.getOutputStream().write(POLL.getBytes(StandardCharsets.US_ASCII));

            var answer =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

            assertThat(answer).startsWith("HTTP/1.1 204 No Content").contains("Connection: close");
            engine.await("the ask is withdrawn", () -> engine.asks("w1") == 0);
        }
    }

    @Test
    void aConnection_isGoodForManyPolls_oneAfterTheOther() throws Exception {
        try (var socket = poll()) {
            for (var round = 0; round < 20; round++) {
                engine.submit("echo");
                var in = socket.getInputStream();
                assertThat(statusLine(in)).isEqualTo("HTTP/1.1 200 OK");
                skipAnswer(in);
                wire.peer("w1").register(WorkerWire.registration("w1", 3, "echo"));
                // The registration gave the task back; another worker clears it away.
                var other = "other-" + round;
                wire.peer(other).register(WorkerWire.registration(other, 1, "echo"));
                assertThat(wire.peer(other).poll(0).answer().tasks()).hasSize(1);
                socket.getOutputStream().write(POLL.getBytes(StandardCharsets.US_ASCII));
                engine.await("the next poll asks", () -> engine.asks("w1") == 1);
            }
        }
        engine.await("the ask is withdrawn", () -> engine.asks("w1") == 0);
    }

    private Socket poll() throws Exception {
        var socket = new Socket(InetAddress.getLoopbackAddress(), wire.port());
        socket.getOutputStream().write(POLL.getBytes(StandardCharsets.US_ASCII));
        engine.await("the poll asks", () -> engine.asks("w1") == 1);
        return socket;
    }

    private static String statusLine(InputStream in) throws Exception {
        var line = new StringBuilder();
        for (var c = in.read(); c != '\n' && c >= 0; c = in.read()) {
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private static void skipAnswer(InputStream in) throws Exception {
        var length = 0;
        for (var line = statusLine(in); !line.isEmpty(); line = statusLine(in)) {
            if (line.startsWith("Content-Length: ")) {
                length = Integer.parseInt(line.substring(16));
            }
        }
        in.skipNBytes(length);
    }
}
