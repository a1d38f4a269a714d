package dev.artel.server.api.http;

import dev.artel.config.Suggestions;
import dev.artel.gateway.http.ErrorCode;
import dev.artel.gateway.http.HttpRefusal;
import dev.artel.json.JsonObject;
import dev.artel.json.text.JsonText;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeMap;

/// The parameters that the addresses of the client API, and of what is public, may have: those that the description of the API lists for their
/// route. A parameter that is mistyped would otherwise be ignored, and a filter that is ignored lets everything through.
///
/// The routes under `/api/`, for clients of the first generation, take any. Safe for use by many threads.
public final class KnownParameters {
    private static final String PREFIX = "/api/v1/";

    /// Of the first generation, save what is below [#PREFIX].
    private static final String OF_OLD = "/api/";

    private static final String LABEL = "label.";
    private static final int LONGEST = 40;

    private final Map<String, SequencedSet<String>> routes;

    private KnownParameters(Map<String, SequencedSet<String>> routes) {
        this.routes = routes;
    }

    /// Those of `openapi.json`.
    public static KnownParameters described() {
        var routes = new TreeMap<String, SequencedSet<String>>();
        read().object("paths")
                .orElseThrow()
                .members()
                .forEach((path, methods) ->
                        ((JsonObject) methods)
                                .members()
                                .forEach((method, operation) ->
                                        routes.put(
                                                method.toUpperCase(Locale.ROOT) + " " + path,
                                                names((JsonObject) operation))));
        return new KnownParameters(routes);
    }

    private static JsonObject read() {
        try (var in =
                KnownParameters.class.getResourceAsStream("/dev/artel/server/api/openapi.json")) {
            return (JsonObject) JsonText.read(Objects.requireNonNull(in).readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("reading openapi.json of this program", e);
        }
    }

    private static SequencedSet<String> names(JsonObject operation) {
        var names = new LinkedHashSet<String>();
        operation.array("parameters").stream()
                .flatMap(all -> all.values().stream())
                .map(JsonObject.class::cast)
                .filter(parameter -> parameter.string("in").orElse("").equals("query"))
                .forEach(parameter -> names.add(parameter.string("name").orElseThrow()));
        return names;
    }

    /// Refuses a request with a parameter that its route does not have.
    ///
    /// @throws HttpRefusal if the address of `request` has a parameter that its route does not have
    public void check(Context request) {
        var given = request.queryParamMap().keySet();
        var isOfOld = request.path().startsWith(OF_OLD) && !request.path().startsWith(PREFIX);
        if (given.isEmpty() || isOfOld) {
            return;
        }
        var method = request.method().name().equals("HEAD") ? "GET" : request.method().name();
        var known = routes.get(method + " " + request.endpoint().path);
        if (known == null) {
            return;
        }
        for (var name : given) {
            var isLabel =
                    name.startsWith(LABEL)
                            && name.length() > LABEL.length()
                            && known.contains("label.NAME");
            if (!isLabel && !known.contains(name)) {
                throw new HttpRefusal(
                        ErrorCode.UNKNOWN_PARAMETER, "Unknown parameter", detail(name, known));
            }
        }
    }

    private static String detail(String name, SequencedSet<String> known) {
        var shortened = name.length() > LONGEST ? name.substring(0, LONGEST) + "..." : name;
        return "there is no parameter '"
                + shortened
                + "'; "
                + (known.isEmpty()
                        ? "this route has none"
                        : "this route has "
                                + String.join(", ", known)
                                + Suggestions.like(shortened, known));
    }
}
