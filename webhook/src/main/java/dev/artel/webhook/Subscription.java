package dev.artel.webhook;

import dev.artel.config.Secret;
import dev.artel.config.SigningSecret;
import dev.artel.config.SubscriptionSettings;
import dev.artel.config.WebhookUrl;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.webhook.WebhookEventType;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A subscription to jobs or workers, of all clients.
///
/// @param events which events it receives; never empty
/// @param blueprints of jobs of these alone; empty: of all
/// @param secrets with which calls are signed, the newest one first, which does not end; former ones until they expire
/// @param created when the API made it; empty: the settings name it
public record Subscription(
        String id,
        String url,
        List<String> events,
        List<String> blueprints,
        List<SigningSecret> secrets,
        Optional<Instant> created) {
    /// So many secrets are good at once.
    public static final int MOST_SECRETS = 8;

    private static final String SECRET = "secret";
    private static final String PREVIOUS = "previous_secrets";
    private static final String EXPIRES = "expires_at";

    /// Copies the lists.
    public Subscription {
        events = List.copyOf(events);
        blueprints = List.copyOf(blueprints);
        secrets = List.copyOf(secrets);
    }

    /// Whether the settings name it, so that only they can end it.
    public boolean isConfigured() {
        return created.isEmpty();
    }

    /// The secret that receivers have to know from now on.
    public String secret() {
        return secrets.getFirst().secret().value();
    }

    /// Each signs a call at `now`, the newest one first.
    List<String> signing(Instant now) {
        return good(now).stream().map(each -> each.secret().value()).toList();
    }

    private List<SigningSecret> good(Instant now) {
        return secrets.stream().filter(each -> each.isGood(now)).toList();
    }

    /// The same with `secret` in the first place; the former one is good until `end`, and older ones no longer than they
    /// were.
    Subscription withSecret(String secret, Instant now, Instant end) {
        var all = new ArrayList<SigningSecret>();
        all.add(SigningSecret.unlimited(new Secret(secret)));
        good(now).stream()
                .map(each -> each.until(end))
                .filter(each -> each.isGood(now))
                .forEach(all::add);
        return new Subscription(id, url, events, blueprints, all, created);
    }

    List<WebhookEventType> eventTypes(String blueprint) {
        return blueprints.isEmpty() || blueprints.contains(blueprint)
                ? events.stream().flatMap(event -> WebhookEventType.of(event).stream()).toList()
                : List.of();
    }

    /// As it is shown at `now`, without its secrets and without the query of its URL.
    public JsonObject shown(Instant now) {
        var previous =
                good(now).stream().skip(1).<JsonValue>map(each -> ended(each).build()).toList();
        var shown = described(WebhookUrl.shown(url));
        return (previous.isEmpty() ? shown : shown.put(PREVIOUS, new JsonArray(previous))).build();
    }

    private JsonObject.Builder described(String itsUrl) {
        var described =
                JsonObject.builder()
                        .put("id", id)
                        .put("url", itsUrl)
                        .put("events", JsonArray.ofStrings(events))
                        .put("blueprints", JsonArray.ofStrings(blueprints))
                        .put("source", isConfigured() ? "configuration" : "api");
        created.ifPresent(at -> described.put("created_at", at.toString()));
        return described;
    }

    private static JsonObject.Builder ended(SigningSecret secret) {
        var ended = JsonObject.builder();
        secret.expires().ifPresent(at -> ended.put(EXPIRES, at.toString()));
        return ended;
    }

    JsonObject kept() {
        var kept = described(url).put(SECRET, secret());
        var previous =
                secrets.stream()
                        .skip(1)
                        .<JsonValue>map(
                                each -> ended(each).put(SECRET, each.secret().value()).build())
                        .toList();
        return (previous.isEmpty() ? kept : kept.put(PREVIOUS, new JsonArray(previous))).build();
    }

    static Subscription of(JsonObject kept) {
        var secrets = new ArrayList<SigningSecret>();
        secrets.add(SigningSecret.unlimited(new Secret(kept.string(SECRET).orElseThrow())));
        kept.array(PREVIOUS).orElse(JsonArray.EMPTY).stream()
                .map(each -> (JsonObject) each)
                .map(each ->
                        new SigningSecret(
                                new Secret(each.string(SECRET).orElseThrow()),
                                each.string(EXPIRES).map(Instant::parse)))
                .forEach(secrets::add);
        return new Subscription(
                kept.string("id").orElseThrow(),
                kept.string("url").orElseThrow(),
                texts(kept, "events"),
                texts(kept, "blueprints"),
                secrets,
                Optional.of(Instant.parse(kept.string("created_at").orElseThrow())));
    }

    static Subscription of(SubscriptionSettings named) {
        var secrets = new ArrayList<SigningSecret>();
        secrets.add(SigningSecret.unlimited(named.secret()));
        named.previous().ifPresent(secrets::add);
        return new Subscription(
                named.name(),
                named.url(),
                named.events(),
                named.blueprints(),
                secrets,
                Optional.empty());
    }

    private static List<String> texts(JsonObject kept, String name) {
        return kept.array(name).orElse(JsonArray.EMPTY).stream()
                .map(value -> ((JsonString) value).value())
                .toList();
    }
}
