package dev.artel.protocol;

import dev.artel.json.JsonObject;
import org.jspecify.annotations.Nullable;

/// A large value that does not travel in the message.
///
/// @param sha256 of its JSON text, lower-case hexadecimal
/// @param bytes the length of that text
/// @param url where it can be fetched, perhaps relative to the orchestrator's address; null if that is known otherwise
public record ValueRef(String sha256, long bytes, @Nullable String url) {
    /// Refuses a digest that is none.
    public ValueRef {
        if (!sha256.matches("[0-9a-f]{64}")) {
            throw new MalformedMessage("sha256", "64 lower-case hexadecimal digits", sha256);
        }
    }

    static ValueRef read(Fields fields) {
        var bytes = fields.findCount("bytes");
        if (bytes == null) {
            throw new MalformedMessage(fields.at("bytes"), "a whole number", "nothing");
        }
        return new ValueRef(fields.id("sha256"), bytes, fields.findString("url"));
    }

    JsonObject toJson() {
        var json = JsonObject.builder().put("sha256", sha256).put("bytes", bytes);
        return (url == null ? json : json.put("url", url)).build();
    }
}
