package dev.artel.json.bind;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What values of a Java type look like in JSON.
interface Shape {
    /// The Java value of `value`, which stands at `path`; null if something was added to `mismatches`.
    @Nullable Object read(JsonValue value, String path, Mismatches mismatches);

    /// The JSON Schema of what fits.
    JsonObject schema();

    /// What an absent value is taken for; null if it must be there.
    default @Nullable Object absent() {
        return null;
    }

    /// A value of one kind.
    record Exactly(String expected, JsonObject schema, Reading reading) implements Shape {
        interface Reading {
            @Nullable Object read(JsonValue value);
        }

        @Override
        public @Nullable Object read(JsonValue value, String path, Mismatches mismatches) {
            var bound = reading.read(value);
            if (bound == null) {
                unexpected(value, path, expected, mismatches);
            }
            return bound;
        }
    }

    /// A list; an absent one is empty.
    record Many(Shape element) implements Shape {
        @Override
        public @Nullable Object read(JsonValue value, String path, Mismatches mismatches) {
            if (!(value instanceof JsonArray array)) {
                unexpected(value, path, "an array", mismatches);
                return null;
            }
            var list = new ArrayList<Object>(array.size());
            for (var i = 0; i < array.size() && !mismatches.isFull(); i++) {
                var bound = element.read(array.get(i), path + "[" + i + "]", mismatches);
                if (bound != null) {
                    list.add(bound);
                }
            }
            return Collections.unmodifiableList(list);
        }

        @Override
        public JsonObject schema() {
            return JsonObject.of("type", JsonValue.of("array"), "items", element.schema());
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }

    /// A map; an absent one is empty.
    record ByName(Shape element) implements Shape {
        @Override
        public @Nullable Object read(JsonValue value, String path, Mismatches mismatches) {
            if (!(value instanceof JsonObject object)) {
                unexpected(value, path, "an object", mismatches);
                return null;
            }
            var map = new LinkedHashMap<String, Object>();
            for (var entry : object.members().entrySet()) {
                if (mismatches.isFull()) {
                    break;
                }
                var inner = Mismatches.path(path, entry.getKey());
                var bound = element.read(entry.getValue(), inner, mismatches);
                if (bound != null) {
                    map.put(entry.getKey(), bound);
                }
            }
            return Collections.unmodifiableMap(map);
        }

        @Override
        public JsonObject schema() {
            return JsonObject.of(
                    "type", JsonValue.of("object"), "additionalProperties", element.schema());
        }

        @Override
        public Object absent() {
            return Collections.emptyMap();
        }
    }

    /// A value that may be absent.
    record Perhaps(Shape element) implements Shape {
        @Override
        public @Nullable Object read(JsonValue value, String path, Mismatches mismatches) {
            var bound = element.read(value, path, mismatches);
            return bound == null ? null : Optional.of(bound);
        }

        @Override
        public JsonObject schema() {
            return element.schema();
        }

        @Override
        public Object absent() {
            return Optional.empty();
        }
    }

    private static void unexpected(
            JsonValue value, String path, String expected, Mismatches mismatches) {
        var found = value instanceof JsonNull ? "nothing" : "JSON " + value.kind();
        mismatches.add(path, "expected " + expected + ", found " + found);
    }
}
