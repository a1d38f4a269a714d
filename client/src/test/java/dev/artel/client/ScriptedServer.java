package dev.artel.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/// Plays an orchestrator: gives the scripted answers, one for each request, and records the requests.
final class ScriptedServer implements AutoCloseable {
    private final HttpServer server;
    private final Queue<Turn> turns = new ConcurrentLinkedQueue<>();
    private final List<Asked> asked = Collections.synchronizedList(new ArrayList<>());
    private final List<List<String>> traces = Collections.synchronizedList(new ArrayList<>());

    /// @param lastEventId empty if it was not sent
    record Asked(String method, String path, String body, String token, String lastEventId) {}

    private final CountDownLatch closed = new CountDownLatch(1);

    private interface Turn {
        void answer(HttpExchange exchange) throws IOException;
    }

    ScriptedServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    List<Asked> asked() {
        return List.copyOf(asked);
    }

    /// The trace headers of each request: `traceparent`, and `tracestate` if it was sent.
    List<List<String>> traces() {
        return List.copyOf(traces);
    }

    ScriptedServer replies(int status, String body, String... headers) {
        turns.add(exchange -> {
            for (var i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
            }
            var bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        });
        return this;
    }

    /// A stream of events that breaks off in the middle of a message.
    ScriptedServer breaksOffAfter(String body) {
        turns.add(exchange -> {
            exchange.sendResponseHeaders(200, 100_000);
            exchange.getResponseBody().write(body.getBytes(UTF_8));
            exchange.getResponseBody().flush();
        });
        return this;
    }

    /// An answer that does not go on after `body`, on a connection that stays.
    ScriptedServer fallsSilentAfter(String body) {
        turns.add(exchange -> {
            exchange.sendResponseHeaders(200, 100_000);
            exchange.getResponseBody().write(body.getBytes(UTF_8));
            exchange.getResponseBody().flush();
            try {
                closed.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        return this;
    }

    /// The connection is closed instead of an answer.
    ScriptedServer hangsUp() {
        turns.add(_ -> {});
        return this;
    }

    private void answer(HttpExchange exchange) throws IOException {
        var head = exchange.getRequestHeaders();
        traces.add(
                Stream.of("traceparent", "tracestate")
                        .flatMap(name -> head.getOrDefault(name, List.of()).stream())
                        .toList());
        asked.add(
                new Asked(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        new String(exchange.getRequestBody().readAllBytes(), UTF_8),
                        String.valueOf(head.getFirst("Authorization")),
                        head.getOrDefault("Last-Event-ID", List.of("")).getFirst()));
        var turn = turns.poll();
        if (turn != null) {
            turn.answer(exchange);
        }
        exchange.close();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }
}
