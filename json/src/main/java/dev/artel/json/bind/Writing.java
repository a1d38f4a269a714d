package dev.artel.json.bind;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Makes JSON values of Java values: the way back of [Binding].
public final class Writing {
    private Writing() {}

    /// The JSON of `value`: a record as an object with members in snake case, null as null.
    ///
    /// @throws IllegalArgumentException if there is none
    public static JsonValue json(@Nullable Object value) {
        return switch (value) {
            case null -> JsonNull.NULL;
            case JsonValue json -> json;
            case Record record -> object(record);
            case String text -> new JsonString(text);
            case Boolean literal -> JsonValue.of(literal);
            case Number number -> new JsonNumber(number);
            case Enum<?> constant -> new JsonString(constant.name());
            case Instant time -> new JsonString(time.toString());
            case Duration time -> new JsonString(time.toString());
            case Optional<?> perhaps -> json(perhaps.orElse(null));
            case List<?> list -> new JsonArray(list.stream().map(Writing::json).toList());
            case Map<?, ?> map -> object(map);
            default ->
                    throw new IllegalArgumentException(
                            "a " + value.getClass().getName() + " cannot be written as JSON");
        };
    }

    private static JsonObject object(Map<?, ?> map) {
        var json = JsonObject.builder();
        map.forEach((key, value) -> json.put(String.valueOf(key), json(value)));
        return json.build();
    }

    private static JsonObject object(Record record) {
        var json = JsonObject.builder();
        for (var component : record.getClass().getRecordComponents()) {
            json.put(snake(component.getName()), json(value(record, component)));
        }
        return json.build();
    }

    private static @Nullable Object value(Record record, RecordComponent component) {
        try {
            var accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(record);
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "record "
                            + record.getClass().getName()
                            + " is not open to dev.artel.json; open its package",
                    e);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException("cannot read " + component, e);
        }
    }

    /// `maxWidth` as `max_width`.
    static String snake(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT);
    }
}
