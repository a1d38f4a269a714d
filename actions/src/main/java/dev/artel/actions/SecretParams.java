package dev.artel.actions;

import dev.artel.config.NamedSecret;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.InvalidInput;
import dev.artel.worker.PermanentFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/// The places in the parameters of a task where its author has named secrets, and the values for them.
final class SecretParams {
    /// The member of the parameters that has the places, `{at, from, name}` each. The orchestrator alone sets it, in what it hands to its
    /// own worker: whatever a job has under this name is not handed on.
    static final String MEMBER = "$secrets";

    private static final String REFERENCE = "secret://";

    private record Place(String at, int from, String name) {
        static Place of(JsonValue value) {
            var place = (JsonObject) value;
            return new Place(
                    place.string("at").orElseThrow(),
                    (int) place.number("from").orElseThrow().asLong(),
                    place.string("name").orElseThrow());
        }
    }

    private final JsonObject params;
    private final Map<String, List<Place>> places;

    private SecretParams(JsonObject params, Map<String, List<Place>> places) {
        this.params = params;
        this.places = places;
    }

    /// The parameters of a task as they were handed out.
    static SecretParams of(JsonObject handedOut) {
        var places = new LinkedHashMap<String, List<Place>>();
        handedOut.array(MEMBER).orElse(JsonArray.EMPTY).stream()
                .map(Place::of)
                .forEach(place ->
                        places.computeIfAbsent(place.at(), _ -> new ArrayList<>()).add(place));
        return new SecretParams(without(handedOut), places);
    }

    /// `params` without what they have in place of places.
    static JsonObject without(JsonObject params) {
        if (!params.has(MEMBER)) {
            return params;
        }
        var others = JsonObject.builder();
        params.members()
                .forEach((name, value) -> {
                    if (!name.equals(MEMBER)) {
                        others.put(name, value);
                    }
                });
        return others.build();
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /// As they were written, with references in place of secrets.
    JsonObject params() {
        return params;
    }

    /// Refuses secrets in other parameters than `allowed`.
    void requireIn(String action, Set<String> allowed) {
        for (var at : places.keySet()) {
            var name = at.split("/", 3)[1];
            if (!allowed.contains(name)) {
                throw new InvalidInput(
                        action
                                + ": the parameter '"
                                + name
                                + "' names a secret, and only "
                                + allowed.stream().sorted().collect(Collectors.joining(", "))
                                + " of http_request may");
            }
        }
    }

    /// The secrets that they name, by name.
    ///
    /// @throws PermanentFailure if one is not known
    Map<String, NamedSecret> find(Map<String, NamedSecret> known) {
        var found = new LinkedHashMap<String, NamedSecret>();
        for (var all : places.values()) {
            for (var place : all) {
                var secret = known.get(place.name());
                if (secret == null) {
                    throw new PermanentFailure(
                            "there is no secret '"
                                    + place.name()
                                    + "'; an operator adds it to secrets.toml, GET /api/v1/admin/secrets lists those that there are");
                }
                found.put(place.name(), secret);
            }
        }
        return found;
    }

    /// The names of the secrets at or below `at`, a JSON Pointer.
    List<String> under(String at) {
        return places.entrySet().stream()
                .filter(entry -> entry.getKey().equals(at) || entry.getKey().startsWith(at + "/"))
                .flatMap(entry -> entry.getValue().stream())
                .map(Place::name)
                .distinct()
                .toList();
    }

    /// Whether the header `name` has a secret.
    boolean hasHeader(String name) {
        return !under("/headers/" + name.replace("~", "~0").replace("/", "~1")).isEmpty();
    }

    /// The parameters with the values of `secrets` in their places.
    JsonObject resolved(Map<String, NamedSecret> secrets) {
        return (JsonObject) resolved(params, "", secrets);
    }

    private JsonValue resolved(JsonValue value, String at, Map<String, NamedSecret> secrets) {
        return switch (value) {
            case JsonString(var text) ->
                    places.containsKey(at) ? new JsonString(resolved(text, at, secrets)) : value;
            case JsonObject object -> {
                var members = JsonObject.builder();
                object.members()
                        .forEach((name, member) ->
                                members.put(
                                        name,
                                        resolved(
                                                member,
                                                at
                                                        + "/"
                                                        + name.replace("~", "~0")
                                                                .replace("/", "~1"),
                                                secrets)));
                yield members.build();
            }
            case JsonArray(var values) -> {
                var items = new ArrayList<JsonValue>();
                for (var i = 0; i < values.size(); i++) {
                    items.add(resolved(values.get(i), at + "/" + i, secrets));
                }
                yield new JsonArray(items);
            }
            default -> value;
        };
    }

    private String resolved(String text, String at, Map<String, NamedSecret> secrets) {
        var whole = new StringBuilder(text);
        var fromTheEnd =
                places.getOrDefault(at, List.of()).stream()
                        .sorted(Comparator.comparingInt(Place::from).reversed())
                        .toList();
        for (var place : fromTheEnd) {
            var reference = REFERENCE + place.name();
            if (!text.startsWith(reference, place.from())) {
                throw new PermanentFailure(
                        "the parameters name the secret '"
                                + place.name()
                                + "' at "
                                + at
                                + ", and there is no reference to it");
            }
            whole.replace(
                    place.from(),
                    place.from() + reference.length(),
                    Objects.requireNonNull(secrets.get(place.name()), place.name()).value());
        }
        return whole.toString();
    }
}
