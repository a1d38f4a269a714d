package dev.artel.worker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Requests that cannot be parsed, beside whole ones.
@Timeout(Await.HUNG)
final class BrokenRequestsTest {
    private static final int CLIENTS = 4;
    private static final int REQUESTS = 300;
    private static final int SOCKET_MILLIS = Math.toIntExact(Await.longest().toMillis());

    private static final String STOLEN = "GET /stolen HTTP/1.1\r\nHost: h\r\n\r\n";
    private static final List<String> BROKEN =
            List.of(
                    "GET / HTTP/9.9\r\nHost: h\r\n\r\n",
                    "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: many\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
                    "GET / HTTP/1.1\r\nHost: h\r\nX: " + "a".repeat(20_000) + "\r\n\r\n",
                    "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003");

    /// Trap: Jetty reads a connection whose request is broken with two threads; out of a pool, its bytes would come to another connection as the begin of its request.
    @Test
    void aBufferThatIsGivenBack_servesNoOtherConnection() {
        var connector = JettyListener.connector(new Server(), WorkerServerOptions.onPort(0));
        var buffers = connector.getByteBufferPool();
        var first = buffers.acquire(1024, false);
        assertThat(first.release()).isTrue();

        var second = buffers.acquire(1024, false);

        assertThat(second).isNotSameAs(first);
        assertThat(second.release()).isTrue();
    }

    @Test
    void whatIsBroken_reachesNoOtherConnection() throws Exception {
        var paths = new ConcurrentLinkedQueue<String>();
        var wrong = new ConcurrentLinkedQueue<String>();
        try (var server = new WorkerServer(WorkerServerOptions.onPort(0));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            server.addHttpHandler(call -> {
                paths.add(call.path());
                call.respond(200, "text/plain", call.path().getBytes(StandardCharsets.UTF_8));
                return true;
            });
            server.start();
            var clients = new ArrayList<Future<?>>();
            for (var client = 0; client < CLIENTS; client++) {
                var name = "/whole-" + client;
                clients.add(
                        threads.submit(() -> {
                            for (var i = 0; i < REQUESTS; i++) {
                                var path = name + "-" + i;
                                var answer =
                                        ask(
                                                server.port(),
                                                "GET "
                                                        + path
                                                        + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
                                if (!answer.startsWith("HTTP/1.1 200") || !answer.endsWith(path)) {
                                    wrong.add(path + " -> " + answer);
                                }
                            }
                            return null;
                        }));
                clients.add(
                        threads.submit(() -> {
                            for (var i = 0; i < REQUESTS; i++) {
                                var answer =
                                        ask(server.port(), BROKEN.get(i % BROKEN.size()) + STOLEN);
                                if (answer.startsWith("HTTP/1.1 200")) {
                                    wrong.add("broken -> " + answer);
                                }
                            }
                            return null;
                        }));
            }
            for (var client : clients) {
                client.get(Await.seconds(), TimeUnit.SECONDS);
            }
        }

        assertThat(wrong).isEmpty();
        assertThat(paths).hasSize(CLIENTS * REQUESTS).allMatch(path -> path.startsWith("/whole-"));
    }

    /// Sends the request, and reads until the other side ends.
    private static String ask(int port, String request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(SOCKET_MILLIS);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
