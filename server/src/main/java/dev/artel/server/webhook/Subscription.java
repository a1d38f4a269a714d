package dev.artel.server.webhook;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.job.Occasion;
import dev.artel.server.config.SubscriptionSettings;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Somebody who is told of jobs or workers, of whoever's.
///
/// @param events of what it is told; never empty
/// @param blueprints of jobs of these alone; empty: of all
/// @param secret with which calls are signed
/// @param created when the API made it; empty: the settings name it
public record Subscription(
        String id,
        String url,
        List<String> events,
        List<String> blueprints,
        String secret,
        Optional<Instant> created) {
    /// Copies the lists.
    public Subscription {
        events = List.copyOf(events);
        blueprints = List.copyOf(blueprints);
    }

    /// Whether the settings name it, so that only they can end it.
    public boolean isConfigured() {
        return created.isEmpty();
    }

    List<Occasion> occasions(String blueprint) {
        return blueprints.isEmpty() || blueprints.contains(blueprint)
                ? events.stream().flatMap(event -> Occasion.of(event).stream()).toList()
                : List.of();
    }

    /// As it is shown, without its secret.
    public JsonObject shown() {
        var shown =
                JsonObject.builder()
                        .put("id", id)
                        .put("url", url)
                        .put("events", JsonArray.ofStrings(events))
                        .put("blueprints", JsonArray.ofStrings(blueprints))
                        .put("source", isConfigured() ? "configuration" : "api");
        created.ifPresent(at -> shown.put("created_at", at.toString()));
        return shown.build();
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
                Optional.of(Instant.parse(kept.string("created_at").orElseThrow())));
    }

    static Subscription of(SubscriptionSettings named) {
        return new Subscription(
                named.name(),
                named.url(),
                named.events(),
                named.blueprints(),
                named.secret().value(),
                Optional.empty());
    }

    private static List<String> texts(JsonObject kept, String name) {
        return kept.array(name).orElse(JsonArray.EMPTY).stream()
                .map(value -> ((JsonString) value).value())
                .toList();
    }
}
