package dev.artel.server.api.admin;

import dev.artel.access.Caller;
import dev.artel.engine.shell.SigningKeys;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import dev.artel.server.api.access.Lifecycle;
import dev.artel.server.api.http.Answers;
import dev.artel.server.api.http.Bodies;
import io.javalin.http.Context;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/// The keys of the orchestrator: which generations are good, and a new one. No key is shown.
public final class KeyRoutes {
    private static final List<String> NAMES = List.of("approvals", "webhooks");
    private static final List<String> FIELDS = List.of("overlap_seconds");
    private static final Duration DEFAULT = Duration.ofDays(7);
    private static final Duration LONGEST = Duration.ofDays(366);

    private final Lifecycle lifecycle;
    private final InstantSource clock;
    private final Bodies bodies = new Bodies(1024);

    /// Routes for the keys of the engine of `lifecycle`.
    public KeyRoutes(Lifecycle lifecycle, InstantSource clock) {
        this.lifecycle = lifecycle;
        this.clock = clock;
    }

    /// Lists the generations of all keys.
    public void list(Context request, Caller operator) {
        var all = JsonObject.builder();
        NAMES.forEach(name -> all.put(name, shown(keys(name))));
        Answers.json(request, 200, all.build());
    }

    /// Makes a new generation of the key that the path names.
    public void rotate(Context request, Caller operator) {
        var keys = keys(request.pathParam("name"));
        var overlap = overlap(bodies.object(request, FIELDS));
        try {
            keys.rotate(clock.instant(), overlap);
        } catch (IllegalStateException tooMany) {
            throw new HttpRefusal(
                    ErrorCode.TOO_MANY_KEYS,
                    "Too many keys are good",
                    String.valueOf(tooMany.getMessage()));
        }
        Answers.json(request, 200, JsonObject.of("keys", shown(keys)));
    }

    /// How long what is replaced is good beside what replaces it, from `overlap_seconds` of `body`.
    ///
    /// @throws HttpRefusal if that is no possible duration
    public static Duration overlap(JsonObject body) {
        return switch (body.get("overlap_seconds").orElse(null)) {
            case null -> DEFAULT;
            case JsonNumber number
                    when number.isLong()
                            && number.asLong() >= 0
                            && number.asLong() <= LONGEST.toSeconds() ->
                    Duration.ofSeconds(number.asLong());
            default ->
                    throw new HttpRefusal(
                            ErrorCode.INVALID_BODY,
                            "Invalid overlap_seconds",
                            "overlap_seconds must be a whole number from 0 to "
                                    + LONGEST.toSeconds());
        };
    }

    private SigningKeys keys(String name) {
        return switch (name) {
            case "approvals" -> lifecycle.engine().approvalKeys();
            case "webhooks" -> lifecycle.webhooks().keys();
            default ->
                    throw new HttpRefusal(
                            ErrorCode.KEY_NOT_FOUND,
                            "Key not found",
                            "there are keys of " + String.join(", ", NAMES));
        };
    }

    private JsonArray shown(SigningKeys keys) {
        var shown = new ArrayList<JsonValue>();
        for (var key : keys.shown(clock.instant())) {
            var one =
                    JsonObject.builder()
                            .put("generation", key.number())
                            .put("signs", key.expires().isEmpty());
            key.made().ifPresent(at -> one.put("made_at", at.toString()));
            key.expires().ifPresent(at -> one.put("expires_at", at.toString()));
            shown.add(one.build());
        }
        return new JsonArray(shown);
    }
}
