package dev.artel.card.template;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;

/// The beginning of a text that is made of values: what goes beyond its room is not even written. For one thread.
final class BoundedText {
    private final StringBuilder text = new StringBuilder();
    private final int most;
    private boolean isCut;

    /// @param most how many characters there may be
    BoundedText(int most) {
        this.most = most;
    }

    /// Whether there was more than there is room for.
    boolean isCut() {
        return isCut;
    }

    int length() {
        return text.length();
    }

    /// Adds a text as it is, and anything else as JSON.
    void append(JsonValue value) {
        if (value instanceof JsonString(var content)) {
            append(content);
        } else {
            json(value);
        }
    }

    private void append(String more) {
        var room = most - text.length();
        if (more.length() > room) {
            text.append(more, 0, room);
            isCut = true;
        } else {
            text.append(more);
        }
    }

    /// Adds a value as JSON.
    void json(JsonValue value) {
        if (isCut) {
            return;
        }
        switch (value) {
            case JsonString(var content) -> quoted(content);
            case JsonArray array -> array(array);
            case JsonObject object -> object(object);
            case JsonNumber _, JsonBoolean _, JsonNull _ -> append(value.toString());
        }
    }

    /// Quoted, a text is not shorter.
    private void quoted(String content) {
        var room = most - text.length();
        append(
                new JsonString(content.length() > room ? content.substring(0, room) : content)
                        .toString());
    }

    private void array(JsonArray array) {
        append("[");
        for (var i = 0; i < array.size() && !isCut; i++) {
            if (i > 0) {
                append(",");
            }
            json(array.get(i));
        }
        append("]");
    }

    private void object(JsonObject object) {
        append("{");
        var isFirst = true;
        for (var name : object.names()) {
            if (isCut) {
                return;
            }
            if (!isFirst) {
                append(",");
            }
            isFirst = false;
            quoted(name);
            append(":");
            json(object.get(name).orElse(JsonNull.NULL));
        }
        append("}");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
