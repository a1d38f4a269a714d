package dev.artel.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.artel.config.WebhookSettings;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A receiver of webhooks on a real socket, with scripted answers.
public final class TestReceiver implements AutoCloseable {
    /// Those of the defaults, for a receiver that may answer as late as it likes: after a call that took longer it is called again.
    public static final WebhookSettings.Retries PATIENT =
            new WebhookSettings.Retries(
                    WebhookSettings.Retries.DEFAULTS.attempts(),
                    WebhookSettings.Retries.DEFAULTS.firstPause(),
                    WebhookSettings.Retries.DEFAULTS.longestPause(),
                    WebhookSettings.Retries.DEFAULTS.longest(),
                    Await.longest());

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Answering answering;

    /// A call as it came.
    public record Heard(String id, String timestamp, String signature, String body, long nanos) {
        public JsonObject json() {
            return (JsonObject) JsonText.read(body);
        }
    }

    /// Sets the answer to the call of a number, from 1.
    @FunctionalInterface
    public interface Answering {
        int status(int call, HttpExchange exchange);
    }

    public TestReceiver(Answering answering) {
        this(answering, 0);
    }

    public TestReceiver(Answering answering, int port) {
        this.answering = answering;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
        } catch (IOException broken) {
            throw new AssertionError("no receiver on port " + port, broken);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public static TestReceiver good() {
        return new TestReceiver((_, _) -> 204);
    }

    private void handle(HttpExchange exchange) throws IOException {
        var headers = exchange.getRequestHeaders();
        var body = exchange.getRequestBody().readAllBytes();
        var status = answering.status(calls.incrementAndGet(), exchange);
        heard.add(
                new Heard(
                        headers.getFirst("webhook-id"),
                        headers.getFirst("webhook-timestamp"),
                        headers.getFirst("webhook-signature"),
                        new String(body, UTF_8),
                        System.nanoTime()));
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    /// Waits until the end of the test, and answers then.
    public int never() {
        try {
            var _ = closing.await(Await.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        return 500;
    }

    public List<Heard> heard() {
        return heard;
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port() + "/hook?x=1";
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
