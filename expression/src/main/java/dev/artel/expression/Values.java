package dev.artel.expression;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.cel.common.values.NullValue;
import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Shows JSON to CEL without a copy: what a condition does not ask for is not converted.
final class Values {
    private Values() {}

    static Object of(JsonValue value) {
        return switch (value) {
            case JsonObject object -> new Members(object);
            case JsonArray array -> new Elements(array);
            case JsonString(var text) -> text;
            case JsonNumber number when number.isLong() -> number.asLong();
            case JsonNumber number -> number.asDouble();
            case JsonBoolean literal -> literal.value();
            case JsonNull _ -> NullValue.NULL_VALUE;
        };
    }

    private static final class Members extends AbstractMap<String, Object> {
        private final JsonObject object;

        private Members(JsonObject object) {
            this.object = object;
        }

        @Override
        public boolean containsKey(Object key) {
            return key instanceof String name && object.has(name);
        }

        @Override
        public @Nullable Object get(Object key) {
            return key instanceof String name
                    ? object.get(name).map(Values::of).orElse(null)
                    : null;
        }

        @Override
        public int size() {
            return object.size();
        }

        @Override
        public Set<Entry<String, Object>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<String, Object>> iterator() {
                    return object.members().entrySet().stream()
                            .map(member -> Map.entry(member.getKey(), of(member.getValue())))
                            .iterator();
                }

                @Override
                public int size() {
                    return object.size();
                }
            };
        }
    }

    private static final class Elements extends AbstractList<Object> {
        private final JsonArray array;

        private Elements(JsonArray array) {
            this.array = array;
        }

        @Override
        public Object get(int index) {
            return of(array.get(index));
        }

        @Override
        public int size() {
            return array.size();
        }
    }
}
