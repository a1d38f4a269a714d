package dev.artel.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.waits.Await;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A worker's end of a WebSocket, with all that came over it.
final class SocketClient implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final AtomicLong CALLS = new AtomicLong();

    private final List<JsonObject> received = new CopyOnWriteArrayList<>();
    private final ConcurrentMap<String, CompletableFuture<JsonObject>> calls =
            new ConcurrentHashMap<>();
    private final CompletableFuture<String> closed = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final AtomicInteger pings = new AtomicInteger();
    private volatile boolean isDeaf;
    private @Nullable WebSocket socket;

    static SocketClient open(int port) {
        return open(port, null);
    }

    /// Opens one that reads nothing.
    static SocketClient openDeaf(int port) {
        var client = new SocketClient();
        client.isDeaf = true;
        return client.opened(port, null);
    }

    /// Opens one with a token in the upgrade; null: with none.
    static SocketClient open(int port, @Nullable String token) {
        return new SocketClient().opened(port, token);
    }

    private SocketClient opened(int port, @Nullable String token) {
        var builder = CLIENT.newWebSocketBuilder();
        if (token != null) {
            builder.header("Authorization", "Bearer " + token);
        }
        socket =
                await(
                        builder.buildAsync(
                                URI.create("ws://127.0.0.1:" + port + "/ws/worker"), this));
        return this;
    }

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(Await.seconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("nothing came in time", e);
        }
    }

    /// The registration of a worker that knows nothing but the protocol: one model, one request at a time.
    static JsonObject registration(String id, int max, String... models) {
        return JsonObject.builder()
                .put("type", "worker_registration")
                .put("workerId", id)
                .put("workerName", "Worker " + id)
                .put("authToken", SocketServer.TOKEN)
                .put(
                        "capabilities",
                        JsonObject.builder()
                                .put(
                                        "models",
                                        new JsonArray(
                                                Stream.of(models)
                                                        .map(SocketClient::model)
                                                        .toList()))
                                .put("maxConcurrentRequests", max)
                                .build())
                .build();
    }

    private static JsonValue model(String id) {
        return JsonObject.builder()
                .put("modelId", id)
                .put("displayName", id)
                .put("maxContextTokens", 8192)
                .put("maxOutputTokens", 1024)
                .put("supportsStreaming", false)
                .build();
    }

    /// `registration` with what this orchestrator adds to the protocol.
    static JsonObject with(JsonObject registration, JsonObject metadata) {
        var capabilities = registration.object("capabilities").orElseThrow();
        return registration.with("capabilities", capabilities.with("metadata", metadata));
    }

    SocketClient send(JsonObject message) {
        return send(new String(JsonText.write(message), StandardCharsets.UTF_8));
    }

    SocketClient send(String raw) {
        await(open().sendText(raw, true));
        return this;
    }

    /// Sends what may come too late, when the connection is closed already.
    SocketClient trySend(String raw) {
        try {
            return send(raw);
        } catch (IllegalStateException closed) {
            return this;
        }
    }

    SocketClient sendBytes(byte[] raw) {
        await(open().sendBinary(ByteBuffer.wrap(raw), true));
        return this;
    }

    private WebSocket open() {
        var open = socket;
        if (open == null) {
            throw new IllegalStateException("the socket is not open");
        }
        return open;
    }

    /// Makes a call and returns the answer, which may take its time.
    CompletableFuture<JsonObject> call(String method, JsonValue body) {
        var id = "call-" + CALLS.incrementAndGet();
        var answer = new CompletableFuture<JsonObject>();
        calls.put(id, answer);
        send(
                JsonObject.builder()
                        .put("type", "call")
                        .put("callId", id)
                        .put("method", method)
                        .put("body", body)
                        .build());
        return answer;
    }

    /// Makes a call with any bytes for its body.
    CompletableFuture<JsonObject> callWith(String method, byte[] body) {
        var id = "call-" + CALLS.incrementAndGet();
        var answer = new CompletableFuture<JsonObject>();
        calls.put(id, answer);
        var message = new ByteArrayOutputStream();
        message.writeBytes(
                "{\"type\":\"call\",\"callId\":\"%s\",\"method\":\"%s\",\"body\":"
                        .formatted(id, method)
                        .getBytes(StandardCharsets.UTF_8));
        message.writeBytes(body);
        message.write('}');
        var _ = sendBytes(message.toByteArray());
        return answer;
    }

    List<JsonObject> received(String type) {
        return received.stream()
                .filter(message -> message.string("type").orElse("").equals(type))
                .toList();
    }

    /// Waits for the message of `type` with which there are `count` of them.
    JsonObject await(String type, int count) {
        Await.await(type + " no. " + count)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> received(type).size() >= count || isClosed());
        assertThat(received(type))
                .as(() -> "%s before the end: %s".formatted(type, closed.getNow("none")))
                .hasSizeGreaterThanOrEqualTo(count);
        return received(type).get(count - 1);
    }

    JsonObject await(String type, Predicate<JsonObject> wanted) {
        return Await.await(type)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(
                        () -> received(type).stream().filter(wanted).findFirst(),
                        Optional::isPresent)
                .orElseThrow();
    }

    /// With which code and reason the connection was closed.
    String closed() {
        return await(closed);
    }

    boolean isClosed() {
        return closed.isDone();
    }

    SocketClient register(JsonObject registration) {
        var before = received("worker_registration_ack").size();
        send(registration);
        await("worker_registration_ack", before + 1);
        return this;
    }

    static JsonObject message(String type, String requestId) {
        return JsonObject.builder().put("type", type).put("requestId", requestId).build();
    }

    static JsonObject heartbeat(String id) {
        return JsonObject.builder()
                .put("type", "heartbeat")
                .put("workerId", id)
                .put("timestamp", "2026-03-01T10:00:00.000Z")
                .build();
    }

    static JsonObject texts(String name, String value) {
        return JsonObject.of(name, new JsonString(value));
    }

    @Override
    public void onOpen(WebSocket from) {
        if (!isDeaf) {
            from.request(1);
        }
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            var message = (JsonObject) JsonText.read(text.toString());
            text.setLength(0);
            var answer =
                    message.string("type").orElse("").equals("call_answer")
                            ? calls.remove(message.string("callId").orElse(""))
                            : null;
            if (answer != null) {
                answer.complete(message);
            }
            received.add(message);
        }
        if (!isDeaf) {
            from.request(1);
        }
        return null;
    }

    /// From now on nothing more is read than what is asked for already: a part of a message.
    /// Whether it reads what comes, and so the end as well.
    boolean reads() {
        return !isDeaf;
    }

    void readNothingMore() {
        isDeaf = true;
    }

    /// How the connection ended, when it has.
    CompletableFuture<String> end() {
        return closed;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer payload) {
        pings.incrementAndGet();
        from.request(1);
        return null;
    }

    /// Waits until the orchestrator has the pongs to so many pings.
    void awaitPongs(int count) {
        Await.await("ping no. " + count)
                .pollInterval(5, TimeUnit.MILLISECONDS)
                .until(() -> pings.get() >= count);
        awaitUnderstood();
    }

    /// Waits until the orchestrator has read all that was sent before.
    void awaitUnderstood() {
        var _ = await(call("none", JsonObject.EMPTY));
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closed.complete(code + " " + reason);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        closed.complete("broken " + error);
    }

    /// Breaks the connection without a handshake.
    @Override
    public void close() {
        open().abort();
        closed.complete("aborted");
        calls.values()
                .forEach(call -> call.completeExceptionally(new IllegalStateException("aborted")));
    }

    /// Closes with the handshake.
    void leave() {
        var _ = open().sendClose(1000, "Client disconnecting");
    }
}
