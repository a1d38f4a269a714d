package dev.artel.e2e.docs;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;

/// Compares what a document shows with what an orchestrator has sent: names of members and kinds of values, not the values. Null is any value.
final class JsonShape {
    /// An object that counts: its names are data.
    private static final String COUNTS = "refused";

    private final boolean isPart;
    private final List<String> problems = new ArrayList<>();

    private JsonShape(boolean isPart) {
        this.isPart = isPart;
    }

    /// What differs; empty if nothing.
    ///
    /// @param isPart whether the document may leave members out
    static List<String> problems(JsonValue documented, JsonValue real, boolean isPart) {
        var shape = new JsonShape(isPart);
        shape.compare(documented, real, "$");
        return shape.problems;
    }

    /// What of `value` does not fit the schema `name` of `description`, an OpenAPI document.
    static List<String> misfits(JsonValue value, JsonObject description, String name) {
        var shape = new JsonShape(false);
        var schemas =
                description.object("components").flatMap(it -> it.object("schemas")).orElseThrow();
        shape.fit(value, schemas.object(name).orElseThrow(), schemas, "$");
        return shape.problems;
    }

    private void compare(JsonValue documented, JsonValue real, String at) {
        switch (documented) {
            case JsonNull _ -> {
                // may be anything
            }
            case JsonObject object when real instanceof JsonObject other ->
                    compareMembers(object, other, at);
            case JsonArray array when real instanceof JsonArray other -> {
                if (array.size() > 0 && other.size() == 0) {
                    problems.add(at + " is empty, so that nothing can be compared with it");
                } else {
                    array.stream()
                            .forEach(it ->
                                    compare(
                                            it,
                                            other.stream().findFirst().orElseThrow(),
                                            at + "[]"));
                }
            }
            default -> {
                if (!(real instanceof JsonNull) && !real.kind().equals(documented.kind())) {
                    problems.add(
                            at
                                    + " is documented as "
                                    + documented.kind()
                                    + " and is: "
                                    + real.kind());
                }
            }
        }
    }

    private void compareMembers(JsonObject documented, JsonObject real, String at) {
        for (var name : documented.names()) {
            var value = real.get(name);
            if (value.isEmpty()) {
                problems.add(at + " has no '" + name + "', it has " + real.names());
            } else if (name.equals(COUNTS)) {
                count(documented.get(name).orElseThrow(), value.get(), at);
            } else {
                compare(documented.get(name).orElseThrow(), value.get(), at + "." + name);
            }
        }
        if (!isPart) {
            real.names().stream()
                    .filter(it -> !documented.has(it))
                    .forEach(it -> problems.add(at + " has '" + it + "', which is not documented"));
        }
    }

    private void count(JsonValue documented, JsonValue real, String at) {
        if (!isCount(documented) || !isCount(real)) {
            problems.add(at + "." + COUNTS + " is no object of numbers: " + real);
        }
    }

    private static boolean isCount(JsonValue value) {
        return value instanceof JsonObject object
                && object.names().stream()
                        .allMatch(it -> object.get(it).orElseThrow() instanceof JsonNumber);
    }

    private void fit(JsonValue value, JsonObject schema, JsonObject schemas, String at) {
        var other = schema.string("$ref");
        if (other.isPresent()) {
            var name = other.get().substring(other.get().lastIndexOf('/') + 1);
            fit(value, schemas.object(name).orElseThrow(), schemas, at);
            return;
        }
        switch (value) {
            case JsonObject object -> {
                kind(schema, "object", at);
                var properties = schema.object("properties").orElse(JsonObject.EMPTY);
                for (var name : object.names()) {
                    properties
                            .object(name)
                            .ifPresentOrElse(
                                    it ->
                                            fit(
                                                    object.get(name).orElseThrow(),
                                                    it,
                                                    schemas,
                                                    at + "." + name),
                                    () -> problems.add(at + " has no '" + name + "'"));
                }
                schema.array("required").stream()
                        .flatMap(JsonArray::stream)
                        .map(it -> ((JsonString) it).value())
                        .filter(it -> !object.has(it))
                        .forEach(it -> problems.add(at + " must have '" + it + "'"));
            }
            case JsonArray array -> {
                kind(schema, "array", at);
                array.stream()
                        .forEach(it ->
                                fit(it, schema.object("items").orElseThrow(), schemas, at + "[]"));
            }
            default -> {
                var wanted = schema.string("type").orElse("string");
                if (!value.kind().equals(wanted.equals("integer") ? "number" : wanted)) {
                    problems.add(at + " is to be " + wanted + " and is " + value.kind());
                }
            }
        }
    }

    private void kind(JsonObject schema, String kind, String at) {
        if (!schema.string("type").orElse("").equals(kind)) {
            problems.add(at + " is to be " + schema.string("type").orElse("anything"));
        }
    }
}
