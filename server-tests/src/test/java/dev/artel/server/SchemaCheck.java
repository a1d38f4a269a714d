package dev.artel.server;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Checks values against as much of JSON Schema as the description of the API uses.
public final class SchemaCheck {
    private static final List<String> KNOWN =
            List.of(
                    "$ref",
                    "type",
                    "properties",
                    "required",
                    "additionalProperties",
                    "items",
                    "enum",
                    "const",
                    "allOf",
                    "minItems",
                    "maxItems",
                    "description",
                    "format");

    private final JsonObject document;
    private final List<String> problems = new ArrayList<>();

    private SchemaCheck(JsonObject document) {
        this.document = document;
    }

    /// What is wrong with `value`.
    ///
    /// @param document what references in `schema` point into
    public static List<String> problems(JsonObject document, JsonObject schema, JsonValue value) {
        var check = new SchemaCheck(document);
        check.check(schema, value, "");
        return check.problems;
    }

    /// What `value` points to, if it does.
    public static JsonObject resolve(JsonObject document, JsonObject value) {
        var found = value;
        while (found.has("$ref")) {
            JsonValue at = document;
            for (var name : found.string("$ref").orElseThrow().substring(2).split("/", -1)) {
                at = ((JsonObject) at).get(name).orElseThrow();
            }
            found = (JsonObject) at;
        }
        return found;
    }

    private void check(JsonObject given, JsonValue value, String path) {
        var schema = resolve(document, given);
        for (var name : schema.names()) {
            if (!KNOWN.contains(name)) {
                throw new AssertionError("this check does not know " + name);
            }
        }
        schema.string("type").ifPresent(type -> type(type, value, path));
        schema.array("enum")
                .ifPresent(words -> {
                    if (words.stream().noneMatch(value::equals)) {
                        problems.add(path + " is " + value + ", none of " + words);
                    }
                });
        schema.get("const")
                .ifPresent(only -> {
                    if (!only.equals(value)) {
                        problems.add(path + " is " + value + ", not " + only);
                    }
                });
        schema.array("allOf")
                .ifPresent(all -> all.forEach(part -> check((JsonObject) part, value, path)));
        if (schema.string("format").filter("date-time"::equals).isPresent()
                && value instanceof JsonString(var text)) {
            instant(text, path);
        }
        if (value instanceof JsonObject object) {
            members(schema, object, path);
        }
        if (value instanceof JsonArray array && schema.object("items").isPresent()) {
            for (var i = 0; i < array.size(); i++) {
                check(schema.object("items").get(), array.get(i), path + "[" + i + "]");
            }
        }
    }

    private void type(String type, JsonValue value, String path) {
        var fits =
                switch (type) {
                    case "string" -> value instanceof JsonString;
                    case "integer" -> value instanceof JsonNumber number && number.isLong();
                    case "number" -> value instanceof JsonNumber;
                    case "boolean" -> value instanceof JsonBoolean;
                    case "object" -> value instanceof JsonObject;
                    case "array" -> value instanceof JsonArray;
                    default -> throw new AssertionError("no type " + type);
                };
        if (!fits) {
            problems.add(path + " is " + value.kind() + ", not " + type);
        }
    }

    private void instant(String text, String path) {
        try {
            Instant.parse(text);
        } catch (DateTimeException no) {
            problems.add(path + " is no instant: " + text);
        }
    }

    private void members(JsonObject schema, JsonObject object, String path) {
        schema.array("required")
                .ifPresent(names ->
                        names.forEach(name -> {
                            if (name instanceof JsonString(var text) && !object.has(text)) {
                                problems.add(path + " lacks " + text);
                            }
                        }));
        var described = schema.object("properties").orElse(JsonObject.EMPTY);
        var others = schema.get("additionalProperties");
        object.members()
                .forEach((name, member) -> {
                    var at = path + "." + name;
                    if (described.object(name).isPresent()) {
                        check(described.object(name).get(), member, at);
                    } else if (others.isPresent() && others.get() instanceof JsonObject other) {
                        check(other, member, at);
                    } else if (others.isPresent()) {
                        problems.add(at + " is not described");
                    }
                });
    }
}
