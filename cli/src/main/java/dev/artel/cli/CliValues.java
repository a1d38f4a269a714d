package dev.artel.cli;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.text.JsonText;
import dev.artel.json.text.MalformedJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Values as people type them.
final class CliValues {
    private static final Duration LONGEST = Duration.ofDays(365);

    private CliValues() {}

    /// An object of texts such as `city=Oslo` (the value is JSON if it can be, else a text), `{"city":"Oslo"}` or `@file.json`.
    static JsonObject object(List<String> given) {
        var all = JsonObject.builder();
        for (var text : given) {
            if (text.startsWith("@") || text.startsWith("{")) {
                if (!(value(text) instanceof JsonObject object)) {
                    throw CliFailure.usage("'" + text + "' is no JSON object");
                }
                all.putAll(object);
            } else {
                var equals = text.indexOf('=');
                if (equals < 1) {
                    throw CliFailure.usage(
                            "'" + text + "' is neither NAME=VALUE nor a JSON object nor @FILE");
                }
                all.put(text.substring(0, equals), loose(text.substring(equals + 1)));
            }
        }
        return all.build();
    }

    /// JSON, or what is in a file: `@file.json`.
    static JsonValue value(String text) {
        var json = text.startsWith("@") ? file(Path.of(text.substring(1))) : text;
        try {
            return JsonText.read(json.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedJson broken) {
            throw CliFailure.usage("'" + text + "' is no JSON: " + broken.getMessage());
        }
    }

    private static String file(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException unreadable) {
            throw CliFailure.unreadable(path, unreadable);
        }
    }

    private static JsonValue loose(String text) {
        try {
            return JsonText.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (MalformedJson plain) {
            return new JsonString(text);
        }
    }

    /// A time such as `30s`, `5m` or `1h30m`.
    static Duration duration(String option, String text) {
        try {
            var duration = Duration.parse("PT" + text);
            if (duration.isPositive() && duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        } catch (DateTimeParseException _) {
            // reported below
        }
        throw CliFailure.usage(option + " is a time such as 30s, 5m or 2h, was '" + text + "'");
    }

    /// Texts such as `team=red`.
    static Map<String, String> pairs(List<String> given) {
        var all = new LinkedHashMap<String, String>();
        for (var text : given) {
            var equals = text.indexOf('=');
            if (equals < 1) {
                throw CliFailure.usage("'" + text + "' is no NAME=VALUE");
            }
            all.put(text.substring(0, equals), text.substring(equals + 1));
        }
        return all;
    }

    /// A query such as `?status=failed&label=team%3Dred`; empty without parameters.
    static String query(Map<String, String> parameters, List<String> labels) {
        var parts = new ArrayList<String>();
        parameters.forEach((name, value) -> {
            if (!value.isEmpty()) {
                parts.add(name + "=" + CliConnection.encoded(value));
            }
        });
        pairs(labels)
                .forEach((name, value) ->
                        parts.add(
                                "label."
                                        + CliConnection.encoded(name)
                                        + "="
                                        + CliConnection.encoded(value)));
        return parts.isEmpty() ? "" : "?" + String.join("&", parts);
    }
}
