package dev.artel.mcp;

import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What an agent calls a tool with.
record ToolArguments(JsonObject values) {
    /// A text that must be there.
    ///
    /// @throws IllegalArgumentException if it is not
    String text(String name) {
        return optional(name).orElseThrow(() -> new IllegalArgumentException(name + " is missing"));
    }

    /// A text; empty if there is none or it is blank.
    Optional<String> optional(String name) {
        return values.string(name).filter(text -> !text.isBlank());
    }

    /// A whole number that must be there.
    ///
    /// @throws IllegalArgumentException if it is not
    long number(String name) {
        return values.number(name)
                .filter(JsonNumber::isLong)
                .map(JsonNumber::asLong)
                .orElseThrow(() -> new IllegalArgumentException(name + " must be a whole number"));
    }

    /// A whole number.
    ///
    /// @throws IllegalArgumentException if it is not from `least` to `most`
    int number(String name, int least, int most, int otherwise) {
        if (values.get(name).isEmpty()) {
            return otherwise;
        }
        var given = number(name);
        if (given < least || given > most) {
            throw new IllegalArgumentException(
                    name + " must be from " + least + " to " + most + ", was " + given);
        }
        return (int) given;
    }

    JsonValue value(String name) {
        return values.get(name).orElse(JsonObject.EMPTY);
    }

    /// An object; empty if there is none.
    ///
    /// @throws IllegalArgumentException if it is something else
    JsonObject object(String name) {
        return switch (value(name)) {
            case JsonObject object -> object;
            case JsonString(var text) ->
                    throw new IllegalArgumentException(
                            name + " must be an object, was the text '" + text + "'");
            default -> throw new IllegalArgumentException(name + " must be an object");
        };
    }

    /// The path of a part of the API.
    ///
    /// @throws IllegalArgumentException if `name` would lead to another part
    static String path(String prefix, String name) {
        if (name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("'" + name + "' names nothing: it is a path");
        }
        return prefix + encoded(name);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
