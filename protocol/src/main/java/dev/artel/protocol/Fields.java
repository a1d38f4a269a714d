package dev.artel.protocol;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// Reads members of one object and names them in refusals. A member that is null counts as absent.
///
/// @param path where the object stands in its message; empty for the message itself
record Fields(JsonObject object, String path) {
    private static final long LARGEST_EXACT_DOUBLE = 1L << 53;

    static Fields of(JsonValue value, String path) {
        if (value instanceof JsonObject object) {
            return new Fields(object, path);
        }
        throw MalformedMessage.wrongKind(path, "an object", value);
    }

    boolean has(String name) {
        return find(name) != null;
    }

    @Nullable JsonValue find(String name) {
        return object.get(name).filter(value -> value != JsonNull.NULL).orElse(null);
    }

    /// The value under the first of `names` that is present.
    @Nullable Found findAny(String... names) {
        for (var name : names) {
            var value = find(name);
            if (value != null) {
                return new Found(value, at(name));
            }
        }
        return null;
    }

    record Found(JsonValue value, String path) {}

    String string(String name) {
        var text = findString(name);
        if (text == null) {
            throw new MalformedMessage(at(name), "a string", "nothing");
        }
        return text;
    }

    /// A string that is there and not blank.
    String id(String name) {
        var text = string(name);
        if (text.isBlank()) {
            throw new MalformedMessage(at(name), "a string that is not blank", "a blank one");
        }
        return text;
    }

    @Nullable String findString(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonString(var text) -> text;
            case JsonValue other -> throw MalformedMessage.wrongKind(at(name), "a string", other);
        };
    }

    String string(String name, String fallback) {
        var text = findString(name);
        return text == null ? fallback : text;
    }

    boolean flag(String name) {
        return switch (find(name)) {
            case null -> false;
            case JsonBoolean literal -> literal.value();
            case JsonValue other -> throw MalformedMessage.wrongKind(at(name), "a boolean", other);
        };
    }

    /// A whole number from 0 on; `4.0` is taken for 4.
    @Nullable Long findCount(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonNumber number -> count(number, at(name));
            case JsonValue other ->
                    throw MalformedMessage.wrongKind(at(name), "a whole number", other);
        };
    }

    int count(String name, int fallback) {
        var number = findInt(name);
        return number == null ? fallback : number;
    }

    @Nullable Integer findInt(String name) {
        var number = findCount(name);
        return number == null ? null : toInt(number, at(name));
    }

    @Nullable Double findDecimal(String name) {
        var value = find(name);
        return value == null ? null : (Double) decimal(value, at(name));
    }

    double decimal(String name, double fallback) {
        var number = findDecimal(name);
        return number == null ? fallback : number;
    }

    @Nullable Fields findObject(String name) {
        var value = find(name);
        return value == null ? null : of(value, at(name));
    }

    JsonObject object(String name) {
        var fields = findObject(name);
        return fields == null ? JsonObject.EMPTY : fields.object;
    }

    @Nullable List<String> findStrings(String name) {
        var value = find(name);
        return value == null ? null : list(value, at(name), Fields::text);
    }

    List<String> strings(String name) {
        var strings = findStrings(name);
        return strings == null ? List.of() : strings;
    }

    /// The elements of the array `name`, or of none if it is absent.
    <T> List<T> list(String name, BiFunction<JsonValue, String, T> element) {
        var value = find(name);
        return value == null ? List.of() : list(value, at(name), element);
    }

    static <T> List<T> list(
            JsonValue value, String path, BiFunction<JsonValue, String, T> element) {
        if (!(value instanceof JsonArray array)) {
            throw MalformedMessage.wrongKind(path, "an array", value);
        }
        var list = new ArrayList<T>(array.size());
        for (var i = 0; i < array.size(); i++) {
            list.add(element.apply(array.get(i), path + "[" + i + "]"));
        }
        return Collections.unmodifiableList(list);
    }

    /// The members of the object `name` in order, or of none if it is absent.
    <T> SequencedMap<String, T> map(String name, BiFunction<JsonValue, String, T> element) {
        var fields = findObject(name);
        var map = new LinkedHashMap<String, T>();
        if (fields != null) {
            fields.object
                    .members()
                    .forEach((key, value) -> map.put(key, element.apply(value, fields.at(key))));
        }
        return Collections.unmodifiableSequencedMap(map);
    }

    String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    static String text(JsonValue value, String path) {
        if (value instanceof JsonString(var text)) {
            return text;
        }
        throw MalformedMessage.wrongKind(path, "a string", value);
    }

    static double decimal(JsonValue value, String path) {
        if (value instanceof JsonNumber number) {
            var decimal = number.asDouble();
            if (Double.isFinite(decimal)) {
                return decimal;
            }
            throw new MalformedMessage(
                    path, "a number of at most " + Double.MAX_VALUE, "a larger one");
        }
        throw MalformedMessage.wrongKind(path, "a number", value);
    }

    static int intCount(JsonValue value, String path) {
        if (value instanceof JsonNumber number) {
            return toInt(count(number, path), path);
        }
        throw MalformedMessage.wrongKind(path, "a whole number", value);
    }

    private static long count(JsonNumber number, String path) {
        if (number.isLong() && number.asLong() >= 0) {
            return number.asLong();
        }
        var decimal = number.asDouble();
        if (decimal >= 0 && decimal <= LARGEST_EXACT_DOUBLE && decimal == Math.rint(decimal)) {
            return (long) decimal;
        }
        throw new MalformedMessage(
                path, "a whole number from 0 on", decimal < 0 ? "a negative one" : "another one");
    }

    private static int toInt(long number, String path) {
        if (number > Integer.MAX_VALUE) {
            throw new MalformedMessage(path, "at most " + Integer.MAX_VALUE, "a larger number");
        }
        return (int) number;
    }
}
