package dev.artel.actions;

import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.worker.InvalidInput;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The parameters of one action; what is null counts as left out.
///
/// @param action its name, for messages
record ActionParams(String action, JsonObject params) {
    /// Refuses parameters that the action does not know: a mistyped one would have no effect.
    ActionParams knowing(String... names) {
        var known = List.of(names);
        for (var name : params.names()) {
            if (!known.contains(name)) {
                throw new InvalidInput(
                        action
                                + " has no parameter '"
                                + name
                                + "'; it has "
                                + String.join(", ", known));
            }
        }
        return this;
    }

    Optional<JsonValue> value(String name) {
        return params.get(name).filter(value -> !(value instanceof JsonNull));
    }

    JsonValue required(String name) {
        return value(name)
                .orElseThrow(
                        () -> new InvalidInput(action + " needs the parameter '" + name + "'"));
    }

    Optional<String> text(String name) {
        return value(name).map(value -> text(name, value));
    }

    String requiredText(String name) {
        return text(name, required(name));
    }

    private String text(String name, JsonValue value) {
        if (value instanceof JsonString(var text)) {
            return text;
        }
        throw wrong(name, "a text", value);
    }

    /// One of a few words.
    String word(String name, String otherwise, String... words) {
        var word = text(name).orElse(otherwise);
        if (!Arrays.asList(words).contains(word)) {
            throw wrong(name, "one of " + String.join(", ", words), "another text");
        }
        return word;
    }

    double number(String name, double least, double most, double otherwise) {
        return value(name)
                .map(value -> {
                    if (value instanceof JsonNumber number
                            && number.asDouble() >= least
                            && number.asDouble() <= most) {
                        return number.asDouble();
                    }
                    throw wrong(
                            name,
                            "a number from " + least + " to " + most,
                            value instanceof JsonNumber ? "another number" : value.kind());
                })
                .orElse(otherwise);
    }

    boolean flag(String name, boolean otherwise) {
        return value(name)
                .map(value -> {
                    if (value instanceof JsonBoolean flag) {
                        return flag.value();
                    }
                    throw wrong(name, "true or false", value);
                })
                .orElse(otherwise);
    }

    JsonObject object(String name) {
        return value(name)
                .map(value -> {
                    if (value instanceof JsonObject object) {
                        return object;
                    }
                    throw wrong(name, "an object", value);
                })
                .orElse(JsonObject.EMPTY);
    }

    /// A parameter of the wrong type. The message has no value: it may be a secret, and many see why a job failed.
    InvalidInput wrong(String name, String expected, JsonValue found) {
        return wrong(name, expected, found.kind());
    }

    /// @param found what it is in place of what is expected, without its value
    InvalidInput wrong(String name, String expected, String found) {
        return new InvalidInput(
                action + ": the parameter '" + name + "' must be " + expected + ", was " + found);
    }
}
