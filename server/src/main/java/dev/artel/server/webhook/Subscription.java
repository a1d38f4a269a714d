package dev.artel.server.webhook;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Occasion;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// Somebody who is told of jobs or workers, of whoever's.
///
/// @param events of what it is told; never empty
/// @param blueprints of jobs of these alone; empty: of all
/// @param secret with which calls are signed
public record Subscription(
        String id,
        String url,
        List<String> events,
        List<String> blueprints,
        String secret,
        Instant created) {
    /// What there is to be told of workers.
    public static final List<String> OF_WORKERS =
            List.of("worker_registered", "worker_offline", "worker_draining", "worker_undrained");

    /// What there is to be told.
    public static final List<String> EVENTS =
            Stream.concat(Arrays.stream(Occasion.values()).map(Occasion::text), OF_WORKERS.stream())
                    .toList();

    /// Copies the lists.
    public Subscription {
        events = List.copyOf(events);
        blueprints = List.copyOf(blueprints);
    }

    List<Occasion> occasions(String blueprint) {
        return blueprints.isEmpty() || blueprints.contains(blueprint)
                ? events.stream().flatMap(event -> Occasion.of(event).stream()).toList()
                : List.of();
    }

    /// As it is shown, without its secret.
    public JsonObject shown() {
        return JsonObject.builder()
                .put("id", id)
                .put("url", url)
                .put("events", JsonArray.ofStrings(events))
                .put("blueprints", JsonArray.ofStrings(blueprints))
                .put("created_at", created.toString())
                .build();
    }

    JsonObject kept() {
        return shown().with("secret", JsonValue.of(secret));
    }

    static Subscription of(JsonObject kept) {
        return new Subscription(
                kept.string("id").orElseThrow(),
                kept.string("url").orElseThrow(),
                texts(kept, "events"),
                texts(kept, "blueprints"),
                kept.string("secret").orElseThrow(),
                Instant.parse(kept.string("created_at").orElseThrow()));
    }

    private static List<String> texts(JsonObject kept, String name) {
        return kept.array(name).orElse(JsonArray.EMPTY).stream()
                .map(value -> ((JsonString) value).value())
                .toList();
    }
}
