package dev.artel.protocol;

import dev.artel.json.ForeignDecimal;
import dev.artel.json.JsonArray;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.function.BiFunction;

/// Reads texts as the numbers that they are, where a registration has numbers: workers that take them from their environment
/// send `"24"` for 24.
final class NumbersInTexts {
    private static final Set<String> OF_WORKER =
            Set.of("cost", "cost_per_second", "max_concurrent_tasks", "load", "lease_ms");

    private static final Set<String> OF_RESOURCES =
            Set.of("cpu_cores", "ram_gb", "vram_gb", "memory_gb", "max_concurrent_tasks");

    private static final int MOST_NAMED = 10;

    private final SequencedSet<String> found = new LinkedHashSet<>();

    /// A registration with numbers in place of texts.
    ///
    /// @param found the members that were texts
    record Reading(JsonValue body, List<String> found) {
        /// What the operator of the worker is to mend; empty if there was none.
        Optional<String> warning() {
            if (found.isEmpty()) {
                return Optional.empty();
            }
            var named = String.join(", ", found.subList(0, Math.min(found.size(), MOST_NAMED)));
            var more = found.size() - MOST_NAMED;
            return Optional.of(
                    "read as numbers, although they are texts: "
                            + named
                            + (more > 0 ? " and " + more + " more" : "")
                            + "; send numbers without quotes");
        }
    }

    private NumbersInTexts() {}

    static Reading read(JsonValue registration) {
        if (!(registration instanceof JsonObject body)) {
            return new Reading(registration, List.of());
        }
        var reader = new NumbersInTexts();
        var read = members(body, reader::ofWorker);
        return new Reading(reader.found.isEmpty() ? body : read, List.copyOf(reader.found));
    }

    private static JsonObject members(
            JsonObject object, BiFunction<String, JsonValue, JsonValue> member) {
        var members = JsonObject.builder();
        object.members().forEach((name, value) -> members.put(name, member.apply(name, value)));
        return members.build();
    }

    private JsonValue ofWorker(String name, JsonValue value) {
        return switch (name) {
            case "resources" -> ofResources(value, name);
            case "cost_per_skill", "category_limits" -> each(value, name);
            case "capabilities" ->
                    value instanceof JsonObject object
                            ? members(
                                    object,
                                    (inner, its) ->
                                            inner.equals("cost_per_skill")
                                                    ? each(its, name + "." + inner)
                                                    : its)
                            : value;
            default -> OF_WORKER.contains(name) ? number(value, name) : value;
        };
    }

    private JsonValue each(JsonValue value, String path) {
        return value instanceof JsonObject object
                ? members(object, (name, its) -> number(its, path + "." + name))
                : value;
    }

    /// Also in the devices and the properties of each.
    private JsonValue ofResources(JsonValue value, String path) {
        return switch (value) {
            case JsonObject object ->
                    members(
                            object,
                            (name, its) ->
                                    OF_RESOURCES.contains(name)
                                            ? number(its, path + "." + name)
                                            : ofResources(its, path + "." + name));
            case JsonArray array -> {
                var values = new ArrayList<JsonValue>(array.size());
                for (var i = 0; i < array.size(); i++) {
                    values.add(ofResources(array.get(i), path + "[" + i + "]"));
                }
                yield new JsonArray(values);
            }
            default -> value;
        };
    }

    /// What is no number, or one of a size that no machine has, is left for the refusal.
    private JsonValue number(JsonValue value, String path) {
        if (value instanceof JsonString(var text)) {
            try {
                var number = new JsonNumber(ForeignDecimal.of(text.strip()));
                found.add(path);
                return number;
            } catch (NumberFormatException none) {
                return value;
            }
        }
        return value;
    }
}
