package dev.artel.worker.server;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.Assertions;

/// A worker over a real WebSocket.
final class TestWorker implements WebSocket.Listener {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final CompletableFuture<Integer> closeCode = new CompletableFuture<>();
    final CompletableFuture<String> closeReason = new CompletableFuture<>();
    final List<String> frames = new CopyOnWriteArrayList<>();
    private final LinkedBlockingQueue<JsonObject> messages = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    private TestWorker(HttpClient client, URI uri) {
        socket = client.newWebSocketBuilder().buildAsync(uri, this).join();
    }

    static TestWorker open(HttpClient client, URI uri) {
        return new TestWorker(client, uri);
    }

    static TestWorker open(WorkerServer server) {
        return open(server, WorkerServerOptions.DEFAULT_PATH);
    }

    static TestWorker open(WorkerServer server, String path) {
        return open(CLIENT, URI.create("ws://127.0.0.1:" + server.port() + path));
    }

    TestWorker sends(String message) {
        socket.sendText(message, true).join();
        return this;
    }

    TestWorker sends(JsonObject message) {
        return sends(new String(JsonText.write(message), StandardCharsets.UTF_8));
    }

    /// Registers and waits for the acknowledgement.
    TestWorker registers(JsonObject registration) {
        sends(registration);
        var ack = next();
        Assertions.assertThat(ack.toString())
                .contains("worker_registration_ack")
                .contains("\"success\":true");
        return this;
    }

    JsonObject next() {
        try {
            var message = messages.poll(Await.seconds(), TimeUnit.SECONDS);
            Assertions.assertThat(message).as("a message within the limit").isNotNull();
            return Objects.requireNonNull(message);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        }
    }

    boolean hasMore() {
        return !messages.isEmpty();
    }

    void closes() {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "Client disconnecting").join();
    }

    void breaks() {
        socket.abort();
    }

    int closedWith() {
        return closeCode.orTimeout(Await.seconds(), TimeUnit.SECONDS).join();
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            var whole = text.toString();
            text.setLength(0);
            frames.add(whole);
            messages.add((JsonObject) JsonText.read(whole));
        }
        from.request(1);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closeReason.complete(reason);
        closeCode.complete(code);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closeReason.complete(String.valueOf(error.getMessage()));
        closeCode.complete(1006);
    }
}
