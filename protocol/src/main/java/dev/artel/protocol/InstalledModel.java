package dev.artel.protocol;

import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import org.jspecify.annotations.Nullable;

/// A model that a worker has on its disk.
public record InstalledModel(String name, @Nullable String version) {
    static InstalledModel read(JsonValue value, String path) {
        if (value instanceof JsonString(var name)) {
            return new InstalledModel(name, null);
        }
        if (!(value instanceof JsonObject)) {
            throw MalformedMessage.wrongKind(path, "a string or an object", value);
        }
        var fields = Fields.of(value, path);
        return new InstalledModel(fields.id("name"), fields.findString("version"));
    }

    JsonObject toJson() {
        var json = JsonObject.builder().put("name", name);
        if (version != null) {
            json.put("version", version);
        }
        return json.build();
    }
}
