package dev.artel.server;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A route as the description of the API has it, so that tests of all routes have those of tomorrow too.
public record DescribedRoute(
        String method, String path, JsonObject operation, JsonObject document) {
    /// All that `node` describes.
    public static List<DescribedRoute> all(ArtelNode node) {
        var document = TestClient.of(node).get("/_public/openapi.json").object();
        var routes = new ArrayList<DescribedRoute>();
        document.object("paths")
                .orElseThrow()
                .members()
                .forEach((path, methods) ->
                        ((JsonObject) methods)
                                .members()
                                .forEach((method, operation) ->
                                        routes.add(
                                                new DescribedRoute(
                                                        method.toUpperCase(Locale.ROOT),
                                                        path,
                                                        (JsonObject) operation,
                                                        document))));
        return routes;
    }

    public boolean isOfClients() {
        return path.startsWith("/api/v1/");
    }

    /// Streams do not end, and a poll waits.
    public boolean ends() {
        return !path.endsWith("/events") && !path.endsWith("/next");
    }

    /// A submission names a blueprint in the same place.
    public boolean namesAJob() {
        var isSubmission = method.equals("POST") && path.endsWith("/jobs/{id}");
        return !isSubmission
                && (path.startsWith("/api/v1/jobs/{id}") || path.startsWith("/api/jobs/{id}"));
    }

    /// Its path, with `id` for what it names first.
    public String filled(String id) {
        return path.replace("{id}", id)
                .replace("{worker_id}", id)
                .replace("{task_id}", "x")
                .replace("{scope}", "blueprints")
                .replace("{name}", "echo")
                .replace("{act}", "release")
                .replace("{call}", "1.0")
                .replace("{sha256}", "0".repeat(64))
                .replaceAll("\\{[^}]*}", "0");
    }

    /// The names of what may stand behind the path.
    public List<String> queries() {
        return parameters("query");
    }

    /// The names of what stands in the path.
    public List<String> pathParameters() {
        return parameters("path");
    }

    /// What the JSON is like that is answered if all is well; an empty object if none is.
    public JsonObject answer() {
        return operation
                .object("responses")
                .flatMap(all -> all.object("200"))
                .map(given -> SchemaCheck.resolve(document, given))
                .flatMap(response -> response.object("content"))
                .flatMap(content -> content.object("application/json"))
                .flatMap(media -> media.object("schema"))
                .map(schema -> SchemaCheck.resolve(document, schema))
                .orElse(JsonObject.EMPTY);
    }

    private List<String> parameters(String in) {
        var names = new ArrayList<String>();
        for (var given :
                operation.array("parameters").stream().flatMap(all -> all.stream()).toList()) {
            var parameter = SchemaCheck.resolve(document, (JsonObject) given);
            if (parameter.string("in").orElseThrow().equals(in)) {
                names.add(parameter.string("name").orElseThrow());
            }
        }
        return names;
    }

    public boolean hasBody() {
        return operation.has("requestBody");
    }

    /// The members that its body may have; none if it may be anything.
    public JsonObject members() {
        return schema().object("properties").orElse(JsonObject.EMPTY);
    }

    private JsonObject schema() {
        return operation
                .object("requestBody")
                .flatMap(body -> body.object("content"))
                .flatMap(content -> content.object("application/json"))
                .flatMap(media -> media.object("schema"))
                .map(schema -> SchemaCheck.resolve(document, schema))
                .orElse(JsonObject.EMPTY);
    }

    /// A body with all that it must have.
    public JsonObject body() {
        return (JsonObject) sample(schema());
    }

    private JsonValue sample(JsonObject given) {
        var schema = SchemaCheck.resolve(document, given);
        if (schema.array("enum").isPresent()) {
            return schema.array("enum").get().get(0);
        }
        return switch (schema.string("type").orElse("object")) {
            case "string" -> new JsonString("echo");
            case "integer", "number" -> JsonNumber.of(1);
            case "boolean" -> JsonValue.of(true);
            case "array" -> JsonArray.EMPTY;
            default -> {
                var body = JsonObject.builder();
                for (var name :
                        schema.array("required").stream().flatMap(all -> all.stream()).toList()) {
                    var member = ((JsonString) name).value();
                    body.put(
                            member,
                            sample(
                                    schema.object("properties")
                                            .flatMap(all -> all.object(member))
                                            .orElse(JsonObject.EMPTY)));
                }
                yield body.build();
            }
        };
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
