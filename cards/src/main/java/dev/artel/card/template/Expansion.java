package dev.artel.card.template;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonBoolean;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonNumber;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import dev.artel.json.LateValue;

/// Counts what the references of a value, or of values that belong together, are expanded to while that is made: a card of a few kilobytes
/// can repeat a large value thousands of times, and what is made of it has grown larger than memory before anybody sees it. For one thread.
public final class Expansion {
    private static final long HEAP = Runtime.getRuntime().maxMemory();

    /// How many characters the texts may have that references stand in, all together.
    static final int MOST_CHARACTERS = (int) Math.min(10 << 20, HEAP / 64);

    /// How long the values may be, as JSON, that references stand for, beside the largest one: that is there in any case.
    static final long MOST_REPEATED = Math.min(64 << 20, HEAP / 16);

    private int characters;
    private long values;
    private long largest;

    /// Nothing is counted yet.
    public Expansion() {}

    /// The text of `parts`.
    ///
    /// @throws TooLargeExpansion if there is no room for it
    JsonString text(Iterable<Template> parts, TemplateScope scope) {
        var text = new BoundedText(MOST_CHARACTERS - characters);
        for (var part : parts) {
            text.append(Template.Text.part(part, scope, this));
            if (text.isCut()) {
                throw new TooLargeExpansion(
                        "its references come to texts of more than "
                                + MOST_CHARACTERS
                                + " characters; refer to large values less often");
            }
        }
        characters += text.length();
        return new JsonString(text.toString());
    }

    /// A value that a reference stands for.
    ///
    /// @throws TooLargeExpansion if there is no room for it
    JsonValue counted(JsonValue value) {
        var length = length(value);
        values += length;
        largest = Math.max(largest, length);
        if (values - largest > MOST_REPEATED) {
            throw new TooLargeExpansion(
                    "its references repeat values of more than "
                            + MOST_REPEATED
                            + " characters beside the largest one; refer to large values less often");
        }
        return value;
    }

    /// About how long `value` is as JSON.
    private static long length(JsonValue value) {
        return switch (value) {
            case JsonString(var text) -> 2L + text.length();
            case JsonArray array -> {
                var sum = 2L;
                for (var each : array) {
                    sum += 1 + length(each);
                }
                yield sum;
            }
            case JsonObject object -> {
                var sum = 2L;
                for (var name : object.names()) {
                    sum += 4L + name.length();
                    sum +=
                            object.late(name)
                                    .map(LateValue::bytes)
                                    .orElseGet(
                                            () -> length(object.get(name).orElse(JsonNull.NULL)));
                }
                yield sum;
            }
            case JsonNumber number -> number.leastDigits();
            case JsonBoolean _, JsonNull _ -> 4;
        };
    }
}
