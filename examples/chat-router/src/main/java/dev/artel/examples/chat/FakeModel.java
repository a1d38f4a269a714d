package dev.artel.examples.chat;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A worker with a model that repeats what it is asked. It speaks the protocol of workers with the WebSocket of the JDK alone: it registers,
/// sends heartbeats, confirms requests and answers them.
public final class FakeModel implements WebSocket.Listener, AutoCloseable {
    private final String id;
    private final Duration thinking;
    private final HttpClient http = HttpClient.newHttpClient();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final StringBuilder text = new StringBuilder();
    private final WebSocket socket;

    /// Connects and registers.
    ///
    /// @param router the address of the workers' WebSockets
    /// @param slots how many requests it takes at once
    /// @param limits how many of them may be of a category
    /// @param thinking how long an answer takes
    public FakeModel(
            URI router,
            String token,
            String id,
            String model,
            int slots,
            Map<String, Integer> limits,
            Duration thinking) {
        this.id = id;
        this.thinking = thinking;
        socket = http.newWebSocketBuilder().buildAsync(router, this).join();
        var ofCategories = JsonObject.builder();
        limits.forEach(ofCategories::put);
        send(
                JsonObject.builder()
                        .put("type", "worker_registration")
                        .put("workerId", id)
                        .put("workerName", id)
                        .put("authToken", token)
                        .put(
                                "capabilities",
                                JsonObject.builder()
                                        .put(
                                                "models",
                                                JsonArray.of(
                                                        JsonObject.of(
                                                                "modelId", new JsonString(model))))
                                        .put("maxConcurrentRequests", slots)
                                        .put("concurrencyLimits", ofCategories.build())
                                        .put(
                                                "metadata",
                                                JsonObject.of("acceptsWork", JsonValue.of(true)))
                                        .build())
                        .build());
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
        text.append(part);
        if (isLast) {
            var message = (JsonObject) JsonText.read(text.toString());
            text.setLength(0);
            received(message);
        }
        from.request(1);
        return null;
    }

    private void received(JsonObject message) {
        switch (message.string("type").orElse("")) {
            case "worker_registration_ack" -> {
                var every =
                        message.number("heartbeatIntervalMs")
                                .map(JsonNumber::asLong)
                                .orElse(15_000L);
                var _ =
                        timer.scheduleAtFixedRate(
                                this::heartbeat, every, every, TimeUnit.MILLISECONDS);
            }
            case "work_request" -> {
                send(answer("work_accepted", message).build());
                var _ =
                        timer.schedule(
                                () -> answerTo(message),
                                thinking.toMillis(),
                                TimeUnit.MILLISECONDS);
            }
            default -> {
                // An acknowledgement.
            }
        }
    }

    private void heartbeat() {
        send(
                JsonObject.builder()
                        .put("type", "heartbeat")
                        .put("workerId", id)
                        .put("timestamp", Instant.now().toString())
                        .build());
    }

    private void answerTo(JsonObject request) {
        send(
                answer("work_complete", request)
                        .put("worker", id)
                        .put("completion", "An answer to: " + request.string("prompt").orElse(""))
                        .build());
    }

    private static JsonObject.Builder answer(String type, JsonObject request) {
        return JsonObject.builder()
                .put("type", type)
                .put("requestId", request.string("requestId").orElse(""));
    }

    private synchronized void send(JsonObject message) {
        var json = new String(JsonText.write(message), StandardCharsets.UTF_8);
        socket.sendText(json, true).join();
    }

    /// Breaks off, as a worker that is killed does.
    @Override
    public void close() {
        timer.shutdownNow();
        socket.abort();
        http.shutdownNow();
    }
}
