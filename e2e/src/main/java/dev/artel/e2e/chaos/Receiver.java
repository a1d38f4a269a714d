package dev.artel.e2e.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/// Whom webhooks call: in good moods it answers, in others it is slow, hangs up or refuses. What it answered 200 counts.
final class Receiver implements AutoCloseable {
    private final Map<String, Set<String>> heard = new ConcurrentHashMap<>();
    private final Findings findings;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile Mood mood = Mood.GOOD;

    /// How it answers.
    enum Mood {
        GOOD,
        SLOW,
        HANGS_UP,
        REFUSES
    }

    Receiver(Findings findings) throws IOException {
        this.findings = findings;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(threads);
        server.createContext("/", this::take);
        server.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    void is(Mood next) {
        mood = next;
    }

    /// The events that were received about `job`.
    Set<String> heardOf(String job) {
        return heard.getOrDefault(job, Set.of());
    }

    private void take(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            switch (mood) {
                case GOOD -> {
                    note(exchange.getRequestURI().getPath().substring(1), body);
                    exchange.sendResponseHeaders(200, -1);
                }
                case SLOW -> {
                    rest();
                    exchange.sendResponseHeaders(200, -1);
                    note(exchange.getRequestURI().getPath().substring(1), body);
                }
                case HANGS_UP -> {}
                case REFUSES -> exchange.sendResponseHeaders(500, -1);
            }
        }
    }

    private void note(String client, byte[] body) {
        var other = client.equals("alpha") ? "beta" : "alpha";
        var text = new String(body, StandardCharsets.UTF_8);
        if (text.contains(Secrecy.markOf(other))) {
            findings.add("a webhook of " + client + " was sent data of " + other);
        }
        var call = (JsonObject) JsonText.read(body);
        Optional<String> event = call.string("event");
        call.string("job_id")
                .ifPresent(job ->
                        heard.computeIfAbsent(job, _ -> ConcurrentHashMap.newKeySet())
                                .add(event.orElseThrow()));
    }

    private static void rest() {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(3_000));
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
