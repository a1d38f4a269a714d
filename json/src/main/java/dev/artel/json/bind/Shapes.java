package dev.artel.json.bind;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Finds the shapes of Java types.
///
/// @param refusesUnknown whether records refuse members that they have no component for
/// @param within the records that are being looked at, from the outside
record Shapes(boolean refusesUnknown, List<Class<?>> within) {
    static Shapes lenient() {
        return new Shapes(false, List.of());
    }

    static Shapes strict() {
        return new Shapes(true, List.of());
    }

    /// The shape of `type`.
    ///
    /// @throws IllegalArgumentException if there is none
    Shape of(Type type) {
        return switch (type) {
            case Class<?> c when JsonValue.class.isAssignableFrom(c) -> json(c);
            case Class<?> c when c.isRecord() -> record(c);
            case Class<?> c when c.isEnum() ->
                    new Shape.Exactly(
                            "one of " + Arrays.toString(c.getEnumConstants()),
                            typed("string").with("enum", constants(c)),
                            json -> constant(c, json));
            case Class<?> c -> simple(c);
            case ParameterizedType p -> generic(p);
            default -> throw unknown(type);
        };
    }

    private Shape record(Class<?> type) {
        if (within.contains(type)) {
            throw new IllegalArgumentException(
                    "record "
                            + type.getName()
                            + " contains itself, which cannot be bound; use JsonObject for the inner"
                            + " one");
        }
        var inner = new ArrayList<>(within);
        inner.add(type);
        return RecordShape.of(type, new Shapes(refusesUnknown, List.copyOf(inner)));
    }

    private static IllegalArgumentException unknown(Type type) {
        return new IllegalArgumentException(
                "JSON cannot be bound to " + type.getTypeName() + "; use a record or JsonObject");
    }

    private static Shape json(Class<?> type) {
        return new Shape.Exactly(
                "JSON of type " + type.getSimpleName(),
                jsonSchema(type),
                json -> type.isInstance(json) ? json : null);
    }

    private static JsonObject jsonSchema(Class<?> type) {
        return switch (type.getSimpleName()) {
            case "JsonObject" -> typed("object");
            case "JsonArray" -> typed("array");
            case "JsonString" -> typed("string");
            case "JsonNumber" -> typed("number");
            case "JsonBoolean" -> typed("boolean");
            case "JsonNull" -> typed("null");
            default -> JsonObject.EMPTY;
        };
    }

    private static Shape simple(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String" ->
                    new Shape.Exactly("a string", typed("string"), json -> text(json));
            case "boolean", "java.lang.Boolean" ->
                    new Shape.Exactly(
                            "a boolean",
                            typed("boolean"),
                            json -> json instanceof JsonBoolean b ? b.value() : null);
            case "int", "java.lang.Integer" ->
                    new Shape.Exactly(
                            "a whole number of 32 bits",
                            typed("integer")
                                    .with("minimum", JsonValue.of(Integer.MIN_VALUE))
                                    .with("maximum", JsonValue.of(Integer.MAX_VALUE)),
                            json -> integer(json));
            case "long", "java.lang.Long" ->
                    new Shape.Exactly("a whole number", typed("integer"), json -> whole(json));
            case "double", "java.lang.Double" ->
                    new Shape.Exactly(
                            "a number",
                            typed("number"),
                            json -> json instanceof JsonNumber n ? n.asDouble() : null);
            case "java.math.BigDecimal" ->
                    new Shape.Exactly(
                            "a number",
                            typed("number"),
                            json -> json instanceof JsonNumber n ? n.asDecimal() : null);
            case "java.time.Instant" ->
                    new Shape.Exactly(
                            "a time like 2030-01-31T12:00:00Z",
                            typed("string").with("format", JsonValue.of("date-time")),
                            json -> parsed(json, Instant::parse));
            case "java.time.Duration" ->
                    new Shape.Exactly(
                            "a duration like PT1M30S",
                            typed("string").with("format", JsonValue.of("duration")),
                            json -> parsed(json, Duration::parse));
            default -> throw unknown(type);
        };
    }

    private Shape generic(ParameterizedType type) {
        var arguments = type.getActualTypeArguments();
        if (type.getRawType() == List.class) {
            return new Shape.Many(of(arguments[0]));
        }
        if (type.getRawType() == Optional.class) {
            return new Shape.Perhaps(of(arguments[0]));
        }
        if (type.getRawType() == Map.class && arguments[0] == String.class) {
            return new Shape.ByName(of(arguments[1]));
        }
        throw unknown(type);
    }

    static JsonObject typed(String type) {
        return JsonObject.of("type", JsonValue.of(type));
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

    private static JsonArray constants(Class<?> type) {
        return JsonArray.ofStrings(
                Arrays.stream(type.getEnumConstants())
                        .map(constant -> ((Enum<?>) constant).name())
                        .toList());
    }

    private static @Nullable Object constant(Class<?> type, JsonValue json) {
        var text = text(json);
        return Arrays.stream(type.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equalsIgnoreCase(text))
                .findFirst()
                .orElse(null);
    }

    /// Whether `value` means that there is none.
    static boolean isAbsent(JsonValue value) {
        return value == JsonNull.NULL;
    }
}
