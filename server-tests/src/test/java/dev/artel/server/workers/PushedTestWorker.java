package dev.artel.server.workers;

import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import dev.artel.server.ArtelNode;
import dev.artel.waits.Await;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A worker on a WebSocket, by hand.
final class PushedTestWorker implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final List<JsonObject> received = new CopyOnWriteArrayList<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable WebSocket socket;

    /// A worker of one model that names its process and wants large parameters by address.
    static PushedTestWorker of(
            ArtelNode node, String basePath, String id, String model, String... running)
            throws Exception {
        var worker = new PushedTestWorker();
        worker.socket =
                CLIENT.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(
                                        "ws://127.0.0.1:" + node.port() + basePath + "/ws/worker"),
                                worker)
                        .get(Await.seconds(), TimeUnit.SECONDS);
        var tasks = running.length == 0 ? "" : "\"" + String.join("\",\"", running) + "\"";
        worker.send(
                """
                {"type":"worker_registration","workerId":"%s","workerName":"Worker","authToken":"%s",
                 "capabilities":{"models":[{"modelId":"%s"}],"maxConcurrentRequests":2,
                  "metadata":{"artel":{"instance":"process-1","inlineBytes":65536,"runningTasks":[%s]}}}}
                """
                        .formatted(id, node.workerToken(), model, tasks));
        worker.await("worker_registration_ack", 1);
        return worker;
    }

    void send(String message) throws Exception {
        if (socket != null) {
            socket.sendText(message, true).get(Await.seconds(), TimeUnit.SECONDS);
        }
    }

    void complete(String requestId) throws Exception {
        send(
                "{\"type\":\"work_complete\",\"requestId\":\"%s\",\"result\":{\"by\":\"socket\"}}"
                        .formatted(requestId));
    }

    /// Waits for the message of `type` with which there are `count` of them.
    JsonObject await(String type, int count) {
        Await.await(type + " no. " + count).until(() -> received(type).size() >= count);
        return received(type).get(count - 1);
    }

    private List<JsonObject> received(String type) {
        return received.stream()
                .filter(message -> message.string("type").orElse("").equals(type))
                .toList();
    }

    String closed() throws Exception {
        return closed.get(Await.seconds(), TimeUnit.SECONDS);
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            received.add((JsonObject) JsonText.read(text.toString()));
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code + " " + reason);
        return null;
    }

    @Override
    public void close() {
        if (socket != null) {
            socket.abort();
        }
    }
}
