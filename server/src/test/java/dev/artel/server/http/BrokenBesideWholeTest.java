package dev.artel.server.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.server.ArtelNode;
import dev.artel.server.TestNodes;
import dev.artel.server.samples.SampleBlueprints;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Requests that cannot be parsed change nothing about those of other connections.
final class BrokenBesideWholeTest {
    private static final int BROKEN = 6_000;
    private static final int LANES = 3;
    private static final int PATIENCE_MILLIS = 10_000;

    private static final String BODY =
            "{\"blueprint\":\"nowhere\",\"initial_data\":{\"x\":\"" + "[".repeat(20_000) + "\"}}";

    private static byte[] whole(String token) {
        return ("POST /api/v1/jobs HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nAuthorization: Bearer "
                        + token
                        + "\r\nContent-Length: "
                        + BODY.length()
                        + "\r\n\r\n"
                        + BODY)
                .getBytes(ISO_8859_1);
    }

    private static final byte[] UNREADABLE =
            ("POST /api/v1/jobs HTTP/1.1\r\nHost : a\r\n\r\n" + "x".repeat(150))
                    .getBytes(ISO_8859_1);

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /// Trap: the buffer of the broken connection is read into while another connection has it, and the request of that one is never complete.
    @Test
    void whatIsBroken_doesNotReachOtherConnections() throws Exception {
        var isOver = new AtomicBoolean();
        try (var node =
                        ArtelNode.start(
                                TestNodes.CONFIG, SampleBlueprints.all(), TestNodes.storage());
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var port = node.uri().getPort();
            var request = whole(node.clientToken());
            var whole =
                    IntStream.range(0, 2)
                            .mapToObj(_ -> threads.submit(() -> answers(port, request, isOver)))
                            .toList();
            var broken =
                    IntStream.range(0, LANES)
                            .<Callable<Integer>>mapToObj(_ -> () -> sendBroken(port))
                            .toList();

            for (var lane : threads.invokeAll(broken)) {
                assertThat(lane.get()).isEqualTo(BROKEN / LANES);
            }
            isOver.set(true);

            for (var lane : whole) {
                assertThat(lane.get()).containsExactly("HTTP/1.1 404 Not Found");
            }
        }
    }

    private static int sendBroken(int port) throws IOException {
        var sent = 0;
        for (; sent < BROKEN / LANES; sent++) {
            try (var socket = connect(port)) {
                socket.getOutputStream().write(UNREADABLE);
                socket.shutdownOutput();
                assertThat(socket.getInputStream().readAllBytes()).isNotNull();
            }
        }
        return sent;
    }

    private static List<String> answers(int port, byte[] request, AtomicBoolean isOver)
            throws IOException {
        var answers = new TreeSet<String>();
        while (!isOver.get()) {
            try (var socket = connect(port)) {
                socket.getOutputStream().write(request);
                var line =
                        new BufferedReader(
                                        new InputStreamReader(socket.getInputStream(), ISO_8859_1))
                                .readLine();
                answers.add(String.valueOf(line));
            }
        }
        return List.copyOf(answers);
    }
}
