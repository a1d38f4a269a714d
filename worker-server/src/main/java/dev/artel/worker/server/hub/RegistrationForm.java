package dev.artel.worker.server.hub;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Reads a registration and refuses all that is not one, before anything of it reaches the pool.
///
/// @param workerId the id
/// @param workerName the name
/// @param capabilities the capabilities
record RegistrationForm(String workerId, String workerName, WorkerCapabilities capabilities) {
    private static final int MAX_NAME = 200;
    private static final int MAX_MODELS = 1_000;
    private static final int MAX_ALIASES = 100;
    private static final int MAX_CATEGORIES = 100;
    private static final int MAX_REQUESTS = 10_000;
    private static final long MAX_TOKENS = 1L << 40;

    /// Something is not as it must be; the message states what, where and what it should be.
    static final class Invalid extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Invalid(String problem) {
            super(problem);
        }
    }

    /// The id that `message` names.
    ///
    /// @throws Invalid if it names none
    static String workerIdOf(JsonObject message) {
        return name(message, "workerId");
    }

    /// Refuses a token that is not a string.
    ///
    /// @throws Invalid if there is one
    static void checkToken(JsonObject message) {
        message.get("authToken")
                .filter(token -> !(token instanceof JsonString))
                .ifPresent(token -> {
                    throw new Invalid("authToken: expected a string, found " + a(token));
                });
    }

    /// The whole form.
    ///
    /// @throws Invalid if any part of it is not valid
    static RegistrationForm read(JsonObject message) {
        return new RegistrationForm(
                workerIdOf(message),
                name(message, "workerName"),
                capabilities(object(message, "capabilities")));
    }

    private static WorkerCapabilities capabilities(JsonObject json) {
        return new WorkerCapabilities(
                models(json),
                (int)
                        integer(
                                json,
                                "maxConcurrentRequests",
                                "capabilities.maxConcurrentRequests",
                                1,
                                MAX_REQUESTS),
                limits(json),
                json.has("metadata") ? object(json, "metadata") : JsonObject.EMPTY);
    }

    private static List<WorkerCapabilities.Model> models(JsonObject json) {
        var models = new ArrayList<WorkerCapabilities.Model>();
        for (var model : array(json, "models", "capabilities.models", MAX_MODELS)) {
            if (!(model instanceof JsonObject object)) {
                throw new Invalid("capabilities.models: expected objects, found " + a(model));
            }
            models.add(model(object));
        }
        return models;
    }

    private static WorkerCapabilities.Model model(JsonObject json) {
        var id = name(json, "modelId");
        return new WorkerCapabilities.Model(
                id,
                json.has("displayName") ? name(json, "displayName") : id,
                tokens(json, "maxContextTokens"),
                tokens(json, "maxOutputTokens"),
                new WorkerCapabilities.Abilities(
                        flag(json, "supportsStreaming"),
                        flag(json, "supportsVision"),
                        flag(json, "supportsTools")),
                aliases(json));
    }

    private static List<String> aliases(JsonObject json) {
        var aliases = new ArrayList<String>();
        for (var alias : array(json, "aliases", "aliases", MAX_ALIASES)) {
            if (!(alias instanceof JsonString(var text)) || !isName(text)) {
                throw new Invalid("aliases: expected names, found " + a(alias));
            }
            aliases.add(text);
        }
        return aliases;
    }

    private static SequencedMap<String, Integer> limits(JsonObject json) {
        var limits = new LinkedHashMap<String, Integer>();
        if (!json.has("concurrencyLimits")) {
            return limits;
        }
        var object = object(json, "concurrencyLimits");
        if (object.size() > MAX_CATEGORIES) {
            throw new Invalid(
                    "capabilities.concurrencyLimits: at most %d categories, found %d"
                            .formatted(MAX_CATEGORIES, object.size()));
        }
        for (var category : object.names()) {
            if (!isName(category)) {
                throw new Invalid(
                        "capabilities.concurrencyLimits: a category is named by 1 to %d characters"
                                .formatted(MAX_NAME));
            }
            limits.put(
                    category,
                    (int)
                            integer(
                                    object,
                                    category,
                                    "capabilities.concurrencyLimits." + category,
                                    0,
                                    MAX_REQUESTS));
        }
        return limits;
    }

    private static long tokens(JsonObject json, String member) {
        return json.has(member) ? integer(json, member, member, 0, MAX_TOKENS) : 0;
    }

    private static boolean flag(JsonObject json, String member) {
        var value = json.get(member);
        if (value.isEmpty()) {
            return false;
        }
        if (value.get() instanceof JsonBoolean flag) {
            return flag.equals(JsonBoolean.TRUE);
        }
        throw new Invalid(member + ": expected true or false, found " + a(value.get()));
    }

    private static JsonObject object(JsonObject json, String member) {
        return json.object(member)
                .orElseThrow(() ->
                        new Invalid(member + ": expected an object, found " + found(json, member)));
    }

    private static List<JsonValue> array(JsonObject json, String member, String path, int max) {
        if (!json.has(member)) {
            return List.of();
        }
        var array =
                json.array(member)
                        .map(JsonArray::values)
                        .orElseThrow(() ->
                                new Invalid(
                                        path
                                                + ": expected an array, found "
                                                + found(json, member)));
        if (array.size() > max) {
            throw new Invalid(
                    "%s: at most %d elements, found %d".formatted(path, max, array.size()));
        }
        return array;
    }

    private static String name(JsonObject json, String member) {
        return json.string(member)
                .filter(RegistrationForm::isName)
                .orElseThrow(() ->
                        new Invalid(
                                "%s: expected a string of 1 to %d characters that is not blank, found %s"
                                        .formatted(member, MAX_NAME, found(json, member))));
    }

    private static boolean isName(String text) {
        return !text.isBlank()
                && text.length() <= MAX_NAME
                && text.chars().noneMatch(Character::isISOControl);
    }

    private static long integer(JsonObject json, String member, String path, long min, long max) {
        return json.number(member)
                .filter(JsonNumber::isLong)
                .map(JsonNumber::asLong)
                .filter(value -> value >= min && value <= max)
                .orElseThrow(() ->
                        new Invalid(
                                "%s: expected a whole number from %d to %d, found %s"
                                        .formatted(path, min, max, found(json, member))));
    }

    private static String found(JsonObject json, String member) {
        return json.get(member).map(RegistrationForm::a).orElse("nothing");
    }

    /// The kind of a value, without its content: it may be long, or a secret. Numbers are short.
    private static String a(JsonValue value) {
        return switch (value) {
            case JsonNumber number when number.toString().length() <= 20 -> number.toString();
            case JsonString(var text) -> "a string of %d characters".formatted(text.length());
            case JsonNumber _ -> "a long number";
            default -> value.kind();
        };
    }
}
