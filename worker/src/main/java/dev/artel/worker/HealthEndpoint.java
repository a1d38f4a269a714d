package dev.artel.worker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// `GET /health` for those who watch over processes: 200 `OK`, or 503 `draining` once the worker ends.
final class HealthEndpoint implements AutoCloseable {
    private final HttpServer server;
    private final BooleanSupplier draining;

    /// @throws UncheckedIOException if it cannot listen at `address`
    HealthEndpoint(InetSocketAddress address, BooleanSupplier draining) {
        this.draining = draining;
        try {
            server = HttpServer.create(address, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cannot answer /health at " + address + "; choose another address", e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/health", this::answer);
        server.start();
    }

    InetSocketAddress address() {
        return server.getAddress();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestURI().getPath().equals("/health")) {
                exchange.sendResponseHeaders(404, -1);
            } else if (!exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (draining.getAsBoolean()) {
                answer(exchange, 503, "draining");
            } else {
                answer(exchange, 200, "OK");
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        var body = text.getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
