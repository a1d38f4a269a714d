package dev.artel.gateway.zeromq;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.kernel.attempt.LeaseToken;
import dev.artel.protocol.MalformedMessage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads members of a body and names them in refusals. A member that is null counts as absent.
record Members(JsonObject body) {
    @Nullable JsonValue find(String name) {
        return body.get(name).filter(value -> value != JsonNull.NULL).orElse(null);
    }

    @Nullable String findText(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonString(var text) -> text;
            case JsonValue other -> throw wrong(name, "a string", other);
        };
    }

    /// Whether a member is `true`.
    boolean flag(String name) {
        return switch (find(name)) {
            case null -> false;
            case JsonBoolean flag -> flag == JsonBoolean.TRUE;
            case JsonValue other -> throw wrong(name, "true or false", other);
        };
    }

    String text(String name, String otherwise) {
        var text = findText(name);
        return text == null ? otherwise : text;
    }

    /// A string that is there and not blank.
    String id(String name) {
        var text = findText(name);
        if (text == null || text.isBlank()) {
            throw new MalformedMessage(name, "a string that is not blank", "none");
        }
        return text;
    }

    /// A whole number; null if there is none.
    @Nullable Long findCount(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonNumber number when number.isLong() && number.asLong() >= 0 -> number.asLong();
            case JsonValue other -> throw wrong(name, "a whole number from 0 on", other);
        };
    }

    long count(String name, long otherwise) {
        var number = findCount(name);
        return number == null ? otherwise : number;
    }

    /// The strings of an array; none if there is none.
    List<String> texts(String name) {
        var texts = new ArrayList<String>();
        for (var value : array(name)) {
            if (!(value instanceof JsonString(var text))) {
                throw wrong(name, "an array of strings", value);
            }
            texts.add(text);
        }
        return texts;
    }

    JsonArray array(String name) {
        return switch (find(name)) {
            case null -> JsonArray.EMPTY;
            case JsonArray array -> array;
            case JsonValue other -> throw wrong(name, "an array", other);
        };
    }

    @Nullable Members findObject(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonObject object -> new Members(object);
            case JsonValue other -> throw wrong(name, "an object", other);
        };
    }

    /// The lease that the message is about.
    LeaseToken lease() {
        return lease(id("lease_id"));
    }

    static LeaseToken lease(String text) {
        try {
            return new LeaseToken(text);
        } catch (IllegalArgumentException noToken) {
            throw new MalformedMessage("lease_id", "1 to 1024 characters", "other text");
        }
    }

    private static MalformedMessage wrong(String name, String expected, JsonValue found) {
        return new MalformedMessage(name, expected, "a value of kind " + found.kind());
    }
}
