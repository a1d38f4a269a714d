package dev.artel.json;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.SequencedSet;
import org.jspecify.annotations.Nullable;

/// A JSON object. Members keep the order in which they were given, which is part of what is written but
/// not of equality. A member that is a [LateValue] is read whenever somebody asks for its value; its name and the number
/// of the members are known without that.
///
/// @param members name to value; copied
public record JsonObject(SequencedMap<String, JsonValue> members) implements JsonValue {
    /// The object without members.
    public static final JsonObject EMPTY = new JsonObject(new LinkedHashMap<>());

    /// Copies `members`.
    public JsonObject {
        if (!(members instanceof LateMembers) && !(members instanceof FewMembers)) {
            members.forEach((name, value) -> {
                Objects.requireNonNull(name, "name");
                Objects.requireNonNull(value, name);
            });
            members =
                    members.size() <= FewMembers.MOST
                            ? few(members)
                            : Collections.unmodifiableSequencedMap(new LinkedHashMap<>(members));
        }
    }

    private static FewMembers few(SequencedMap<String, JsonValue> members) {
        return FewMembers.of(
                members.keySet().toArray(String[]::new),
                members.values().toArray(JsonValue[]::new));
    }

    /// An object with one member.
    public static JsonObject of(String name, JsonValue value) {
        return EMPTY.with(name, value);
    }

    /// An object with two members.
    public static JsonObject of(String name1, JsonValue value1, String name2, JsonValue value2) {
        return builder().put(name1, value1).put(name2, value2).build();
    }

    /// A builder without members.
    public static Builder builder() {
        return new Builder();
    }

    /// The value of `name`; empty if there is no such member. A member that is null gives [JsonNull].
    public Optional<JsonValue> get(String name) {
        return Optional.ofNullable(members.get(name));
    }

    /// The value of `name` where it is read when somebody asks for it; empty where it is there, and where there is no such
    /// member.
    public Optional<LateValue> late(String name) {
        return members instanceof LateMembers some ? some.late(name) : Optional.empty();
    }

    /// Whether a member of its own is read when somebody asks for it.
    public boolean hasLateMembers() {
        return members instanceof LateMembers;
    }

    /// The text of `name`; empty if there is no such member or it is not a string.
    public Optional<String> string(String name) {
        return members.get(name) instanceof JsonString(var text)
                ? Optional.of(text)
                : Optional.empty();
    }

    /// The number `name`; empty if there is no such member or it is not a number.
    public Optional<JsonNumber> number(String name) {
        return members.get(name) instanceof JsonNumber number
                ? Optional.of(number)
                : Optional.empty();
    }

    /// The object `name`; empty if there is no such member or it is not an object.
    public Optional<JsonObject> object(String name) {
        return members.get(name) instanceof JsonObject object
                ? Optional.of(object)
                : Optional.empty();
    }

    /// The array `name`; empty if there is no such member or it is not an array.
    public Optional<JsonArray> array(String name) {
        return members.get(name) instanceof JsonArray array ? Optional.of(array) : Optional.empty();
    }

    /// Whether there is a member `name`, be it null.
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /// The names of the members in order.
    public SequencedSet<String> names() {
        return members.sequencedKeySet();
    }

    /// The number of members.
    public int size() {
        return members.size();
    }

    /// Whether there is no member.
    public boolean isEmpty() {
        return members.isEmpty();
    }

    /// This object with `name` set to `value`; a member that exists keeps its place.
    public JsonObject with(String name, JsonValue value) {
        return builder().putAll(this).put(name, value).build();
    }

    /// This object with the members of `other` set one by one: a shallow merge.
    public JsonObject merge(JsonObject other) {
        return other.isEmpty() ? this : builder().putAll(this).putAll(other).build();
    }

    boolean hasLate() {
        if (members instanceof LateMembers) {
            return true;
        }
        for (var value : members.values()) {
            if (value.isLate()) {
                return true;
            }
        }
        return false;
    }

    JsonObject inMemory() {
        var all = builder();
        members.forEach((name, value) -> all.put(name, value.settled()));
        return all.build();
    }

    @Override
    public String toString() {
        return Quoting.text(this);
    }

    /// Collects members in order. Not safe for use by many threads.
    public static final class Builder {
        private static final int AT_FIRST = 8;

        /// While they are few, as `values`.
        private String[] names = new String[AT_FIRST];

        private JsonValue[] values = new JsonValue[AT_FIRST];
        private int few;

        /// All of them once they are no longer few.
        private @Nullable SequencedMap<String, JsonValue> many;

        private Map<String, LateValue> late = Map.of();

        private Builder() {}

        /// Sets `name` to `value`.
        public Builder put(String name, JsonValue value) {
            Objects.requireNonNull(value, name);
            var place = many == null ? FewMembers.find(names, few, name) : -1;
            if (place >= 0) {
                values[place] = value;
            } else {
                add(name, value);
            }
            if (!late.isEmpty()) {
                late.remove(name);
            }
            return this;
        }

        /// Sets `name` to `value` if there is no such member yet.
        ///
        /// @return whether there was none
        public boolean putNew(String name, JsonValue value) {
            var isNew =
                    many == null ? FewMembers.find(names, few, name) < 0 : !many.containsKey(name);
            if (isNew) {
                add(name, Objects.requireNonNull(value, name));
            }
            return isNew;
        }

        /// @param name that is not there while they are few
        private void add(String name, JsonValue value) {
            if (many == null && few == FewMembers.MOST) {
                many = new LinkedHashMap<>(members());
            }
            if (many != null) {
                many.put(name, value);
                return;
            }
            if (few == names.length) {
                names = Arrays.copyOf(names, FewMembers.MOST);
                values = Arrays.copyOf(values, FewMembers.MOST);
            }
            names[few] = Objects.requireNonNull(name, "name");
            values[few++] = value;
        }

        /// Sets `name` to a value that is read when somebody asks for it.
        public Builder put(String name, LateValue value) {
            put(name, JsonNull.NULL);
            if (late.isEmpty()) {
                late = new LinkedHashMap<>();
            }
            late.put(name, value);
            return this;
        }

        /// Sets `name` to a string.
        public Builder put(String name, String value) {
            return put(name, new JsonString(value));
        }

        /// Sets `name` to a number.
        public Builder put(String name, long value) {
            return put(name, JsonNumber.of(value));
        }

        /// Sets `name` to a literal.
        public Builder put(String name, boolean value) {
            return put(name, JsonValue.of(value));
        }

        /// Sets every member of `other`.
        public Builder putAll(JsonObject other) {
            if (other.members instanceof LateMembers some) {
                some.places().forEach(this::put);
                some.late().forEach(this::put);
            } else {
                other.members.forEach(this::put);
            }
            return this;
        }

        private SequencedMap<String, JsonValue> members() {
            return many == null
                    ? FewMembers.of(Arrays.copyOf(names, few), Arrays.copyOf(values, few))
                    : many;
        }

        /// The object of the members so far.
        public JsonObject build() {
            var all = members();
            return new JsonObject(late.isEmpty() ? all : new LateMembers(all, late));
        }
    }
}
