package dev.artel.worker;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes Java values of JSON values; refuses what does not fit with the path, what was expected and what was
/// found.
@FunctionalInterface
interface Binding {
    /// The Java value of `value`, which stands at `path`.
    ///
    /// @throws InvalidInput if it does not fit
    Object bind(JsonValue value, String path);

    /// What an absent value is taken for; null if it must be there.
    default @Nullable Object absent() {
        return null;
    }

    /// A binding to `type`: a record of such types, a `dev.artel.json` type, a string, number, boolean, enum,
    /// [Instant], [Duration], [Optional], [List] or [Map] with string keys.
    ///
    /// @throws IllegalArgumentException if there is none
    static Binding of(Type type) {
        return switch (type) {
            case Class<?> c when JsonValue.class.isAssignableFrom(c) -> json(c);
            case Class<?> c when c.isRecord() -> RecordBinding.of(c);
            case Class<?> c when c.isEnum() ->
                    new Exactly("one of " + constants(c), json -> constant(c, json));
            case Class<?> c -> simple(c);
            case ParameterizedType p -> generic(p);
            default -> throw unknown(type);
        };
    }

    private static IllegalArgumentException unknown(Type type) {
        return new IllegalArgumentException(
                "parameters cannot be bound to "
                        + type.getTypeName()
                        + "; use a record or JsonObject");
    }

    private static Binding json(Class<?> type) {
        return new Exactly(
                "JSON of type " + type.getSimpleName(),
                json -> type.isInstance(json) ? json : null);
    }

    private static Binding simple(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String" -> new Exactly("a string", json -> text(json));
            case "boolean", "java.lang.Boolean" ->
                    new Exactly(
                            "a boolean", json -> json instanceof JsonBoolean b ? b.value() : null);
            case "int", "java.lang.Integer" ->
                    new Exactly("a whole number of 32 bits", json -> integer(json));
            case "long", "java.lang.Long" -> new Exactly("a whole number", json -> whole(json));
            case "double", "java.lang.Double" ->
                    new Exactly(
                            "a number", json -> json instanceof JsonNumber n ? n.asDouble() : null);
            case "java.math.BigDecimal" ->
                    new Exactly(
                            "a number",
                            json ->
                                    json instanceof JsonNumber n
                                            ? new BigDecimal(n.toString())
                                            : null);
            case "java.time.Instant" ->
                    new Exactly(
                            "a time like 2030-01-31T12:00:00Z",
                            json -> parsed(json, Instant::parse));
            case "java.time.Duration" ->
                    new Exactly("a duration like PT1M30S", json -> parsed(json, Duration::parse));
            default -> throw unknown(type);
        };
    }

    private static Binding generic(ParameterizedType type) {
        var arguments = type.getActualTypeArguments();
        var last = of(arguments[arguments.length - 1]);
        if (type.getRawType() == List.class) {
            return new Many(last);
        }
        if (type.getRawType() == Optional.class) {
            return new Perhaps(last);
        }
        if (type.getRawType() == Map.class && arguments[0] == String.class) {
            return new ByName(last);
        }
        throw unknown(type);
    }

    private static @Nullable String text(JsonValue json) {
        return json instanceof JsonString(var text) ? text : null;
    }

    private static @Nullable Long whole(JsonValue json) {
        if (!(json instanceof JsonNumber number)) {
            return null;
        }
        if (number.isLong()) {
            return number.asLong();
        }
        var rounded = number.asLong();
        return rounded == number.asDouble() ? rounded : null;
    }

    private static @Nullable Integer integer(JsonValue json) {
        var whole = whole(json);
        return whole == null || whole != whole.intValue() ? null : whole.intValue();
    }

    private static @Nullable Object parsed(JsonValue json, Function<String, Object> parser) {
        var text = text(json);
        try {
            return text == null ? null : parser.apply(text);
        } catch (DateTimeException nonsense) {
            return null;
        }
    }

    private static String constants(Class<?> type) {
        return Arrays.toString(type.getEnumConstants());
    }

    private static @Nullable Object constant(Class<?> type, JsonValue json) {
        var text = text(json);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equalsIgnoreCase(text))
                .findFirst()
                .orElse(null);
    }

    /// A value of one kind.
    record Exactly(String expected, Reading reading) implements Binding {
        interface Reading {
            @Nullable Object read(JsonValue value);
        }

        @Override
        public Object bind(JsonValue value, String path) {
            var bound = reading.read(value);
            if (bound == null) {
                var found = value instanceof JsonNull ? "nothing" : "JSON " + value.kind();
                throw new InvalidInput(path + ": expected " + expected + ", found " + found);
            }
            return bound;
        }
    }

    /// A list; an absent one is empty.
    record Many(Binding element) implements Binding {
        @Override
        public Object bind(JsonValue value, String path) {
            if (!(value instanceof JsonArray array)) {
                throw new InvalidInput(path + ": expected an array, found JSON " + value.kind());
            }
            var list = new ArrayList<Object>(array.size());
            for (var i = 0; i < array.size(); i++) {
                list.add(element.bind(array.get(i), path + "[" + i + "]"));
            }
            return Collections.unmodifiableList(list);
        }

        @Override
        public Object absent() {
            return List.of();
        }
    }

    /// A map; an absent one is empty.
    record ByName(Binding element) implements Binding {
        @Override
        public Object bind(JsonValue value, String path) {
            if (!(value instanceof JsonObject object)) {
                throw new InvalidInput(path + ": expected an object, found JSON " + value.kind());
            }
            var map = new LinkedHashMap<String, Object>();
            object.members()
                    .forEach((key, member) -> map.put(key, element.bind(member, path + "." + key)));
            return Collections.unmodifiableMap(map);
        }

        @Override
        public Object absent() {
            return Collections.emptyMap();
        }
    }

    /// A value that may be absent.
    record Perhaps(Binding element) implements Binding {
        @Override
        public Object bind(JsonValue value, String path) {
            return Optional.of(element.bind(value, path));
        }

        @Override
        public Object absent() {
            return Optional.empty();
        }
    }
}
