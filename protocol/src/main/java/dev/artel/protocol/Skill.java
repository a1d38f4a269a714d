package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/// A type of task that a worker can do.
///
/// @param name the task type
/// @param category the label under which the worker counts it against a limit
public record Skill(String name, @Nullable String category, @Nullable String version) {
    /// A skill that is no more than a name.
    public Skill(String name) {
        this(name, null, null);
    }

    static Skill read(JsonValue value, String path) {
        if (value instanceof JsonString(var name)) {
            return new Skill(name);
        }
        if (!(value instanceof JsonObject)) {
            throw MalformedMessage.wrongKind(path, "a string or an object", value);
        }
        var fields = Fields.of(value, path);
        return new Skill(
                fields.id("name"), fields.findString("type"), fields.findString("version"));
    }

    JsonObject toJson() {
        var json = JsonObject.builder().put("name", name);
        if (category != null) {
            json.put("type", category);
        }
        if (version != null) {
            json.put("version", version);
        }
        return json.build();
    }
}
