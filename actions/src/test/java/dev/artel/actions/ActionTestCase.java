package dev.artel.actions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.config.ActionHosts;
import dev.artel.config.ActionSettings;
import dev.artel.config.NamedSecret;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Actions against a real server, which answers what a test wants.
abstract class ActionTestCase {
    static final int MAX_BYTES = 10_000;

    @TempDir Path folder;
    final ConcurrentLinkedQueue<Request> received = new ConcurrentLinkedQueue<>();
    private final AtomicReference<Script> script =
            new AtomicReference<>(_ -> new Reply(200, "text/plain", "hello"));
    final Map<String, NamedSecret> secrets = new ConcurrentHashMap<>();
    HttpServer server;
    BuiltInActions actions;

    record Request(String method, String path, JsonObject headers, String body) {}

    /// @param location where a redirect leads; empty: to `body`, and it has none
    record Reply(int status, String type, String body, String location) {
        Reply(int status, String type, String body) {
            this(status, type, body, "");
        }
    }

    interface Script {
        Reply answer(Request request) throws InterruptedException;
    }

    @BeforeEach
    void begin() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        actions = actions("localhost:" + port());
    }

    BuiltInActions actions(String hosts) {
        return new BuiltInActions(
                ActionSettings.DEFAULTS
                        .withHosts(ActionHosts.of(hosts))
                        .withMaxBytes(MAX_BYTES)
                        .withModelUri(java.net.URI.create(url("/v1")))
                        .withModelName("small"),
                folder.resolve("files"),
                () -> secrets);
    }

    @AfterEach
    void end() {
        actions.close();
        server.stop(0);
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://localhost:" + port() + path;
    }

    void answers(Script other) {
        script.set(other);
    }

    void answers(int status, String type, String body) {
        script.set(_ -> new Reply(status, type, body));
    }

    private Reply scripted(Request request) throws IOException {
        try {
            return script.get().answer(request);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the test is over");
        }
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var headers = JsonObject.builder();
            exchange.getRequestHeaders()
                    .forEach((name, values) ->
                            headers.put(
                                    name.toLowerCase(java.util.Locale.ROOT),
                                    String.join(",", values)));
            var request =
                    new Request(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            headers.build(),
                            new String(exchange.getRequestBody().readAllBytes(), UTF_8));
            received.add(request);
            var reply = scripted(request);
            if (!reply.location().isEmpty()) {
                exchange.getResponseHeaders().set("Location", reply.location());
            } else if (reply.status() >= 300 && reply.status() < 400) {
                exchange.getResponseHeaders().set("Location", reply.body());
                exchange.sendResponseHeaders(reply.status(), -1);
                return;
            }
            var body = reply.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", reply.type());
            exchange.sendResponseHeaders(reply.status(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /// Runs `action` with parameters in JSON, in which ' stands for ".
    JsonObject run(String action, String params) throws Exception {
        return actions.run(action, json(params), "task");
    }

    static JsonObject json(String text) {
        return (JsonObject) JsonText.read(text.replace('\'', '"'));
    }
}
