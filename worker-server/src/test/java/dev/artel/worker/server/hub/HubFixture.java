package dev.artel.worker.server.hub;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.json.text.ValueRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/// A hub on a clock of the test, with all its events in lists. Everything runs on the thread of the test.
public final class HubFixture {
    static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

    final ManualClock monotonic = new ManualClock(Instant.EPOCH);
    final ManualClock clock = new ManualClock(START);
    final WorkerHub hub;
    final HubOptions options;
    final List<PooledWorker> connected = new ArrayList<>();
    final List<WorkerDisconnected> disconnected = new ArrayList<>();
    final List<OrphanedRequest> orphaned = new ArrayList<>();
    private int connections;

    HubFixture() {
        this(HubOptions.DEFAULTS);
    }

    HubFixture(HubOptions options) {
        this(options, new ValueRoom());
    }

    HubFixture(HubOptions options, ValueRoom values) {
        this.options = options;
        hub =
                new WorkerHub(
                        options,
                        new HubRuntime(monotonic, clock, Runnable::run, new SplittableRandom(7)),
                        values);
        hub.onConnected(connected::add);
        hub.onDisconnected(disconnected::add);
        hub.onOrphaned(orphaned::add);
    }

    FakeConnection connection() {
        connections++;
        return new FakeConnection("10.0.0." + connections).openOn(hub);
    }

    /// A worker of model `m1` that takes `max` requests.
    FakeConnection worker(String id, int max) {
        return worker(id, capabilities(max, "m1"));
    }

    FakeConnection worker(String id, JsonObject capabilities) {
        return connection().sends(registration(id, capabilities));
    }

    PooledWorker snapshot(String id) {
        return hub.worker(id).orElseThrow();
    }

    /// Moves both clocks in steps in which the hub looks at them, then once more by the rest.
    void advance(Duration span) {
        var left = span;
        var step = Duration.ofSeconds(1);
        while (left.compareTo(step) > 0) {
            move(step);
            left = left.minus(step);
        }
        move(left);
    }

    /// Moves both clocks at once.
    void move(Duration span) {
        monotonic.advance(span);
        clock.advance(span);
        hub.tick();
    }

    /// A message, or a part of one.
    public static JsonObject capabilities(int max, String... models) {
        return JsonObject.builder()
                .put(
                        "models",
                        new JsonArray(
                                Stream.of(models)
                                        .map(HubFixture::model)
                                        .map(JsonValue.class::cast)
                                        .toList()))
                .put("maxConcurrentRequests", max)
                .build();
    }

    /// A message, or a part of one.
    public static JsonObject limited(JsonObject capabilities, String category, int limit) {
        return capabilities.with("concurrencyLimits", JsonObject.of(category, JsonValue.of(limit)));
    }

    /// A message, or a part of one.
    public static JsonObject model(String id) {
        return JsonObject.builder()
                .put("modelId", id)
                .put("displayName", id)
                .put("maxContextTokens", 8192)
                .put("maxOutputTokens", 1024)
                .put("supportsStreaming", true)
                .build();
    }

    /// A message, or a part of one.
    public static JsonObject registration(String id, JsonObject capabilities) {
        return JsonObject.builder()
                .put("type", "worker_registration")
                .put("workerId", id)
                .put("workerName", "Worker " + id)
                .put("capabilities", capabilities)
                .build();
    }

    /// A message, or a part of one.
    public static JsonObject heartbeat(String id) {
        return JsonObject.builder()
                .put("type", "heartbeat")
                .put("workerId", id)
                .put("timestamp", "2026-03-01T10:00:00.000Z")
                .build();
    }

    /// A message, or a part of one.
    public static JsonObject work(String requestId) {
        return message("work_request", requestId);
    }

    /// A message, or a part of one.
    public static JsonObject message(String type, String requestId) {
        return JsonObject.builder().put("type", type).put("requestId", requestId).build();
    }
}
