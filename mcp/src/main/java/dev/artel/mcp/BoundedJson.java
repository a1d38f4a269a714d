package dev.artel.mcp;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonString;
import dev.artel.json.JsonValue;
import java.util.ArrayList;

/// JSON that fits into the context of a language model: long texts and lists are cut, and show how much is left out.
final class BoundedJson {
    /// The most characters of a result.
    static final int MOST = 40_000;

    private static final int DEEPEST = 24;

    /// How much is left, tried in this order.
    private enum Cut {
        LITTLE(4_000, 200),
        MUCH(600, 40),
        MOST_OF_IT(120, 8);

        final int text;
        final int items;

        Cut(int text, int items) {
            this.text = text;
            this.items = items;
        }
    }

    private BoundedJson() {}

    /// `value` as text of at most [#MOST] characters.
    static String of(JsonValue value) {
        for (var cut : Cut.values()) {
            var text = cut(value, cut, 0).toString();
            if (text.length() <= MOST) {
                return text;
            }
        }
        return JsonObject.builder()
                .put(
                        "left_out",
                        "the result is too large; ask for a part of it, or with a lower limit")
                .put("characters", value.toString().length())
                .build()
                .toString();
    }

    private static JsonValue cut(JsonValue value, Cut cut, int depth) {
        if (depth > DEEPEST) {
            return new JsonString("(deeper values are left out)");
        }
        return switch (value) {
            case JsonString(var text) when text.length() > cut.text ->
                    new JsonString(
                            text.substring(0, cut.text)
                                    + "... ("
                                    + (text.length() - cut.text)
                                    + " more characters are left out)");
            case JsonArray array -> cut(array, cut, depth);
            case JsonObject object -> {
                var made = JsonObject.builder();
                object.members().forEach((name, its) -> made.put(name, cut(its, cut, depth + 1)));
                yield made.build();
            }
            default -> value;
        };
    }

    private static JsonValue cut(JsonArray array, Cut cut, int depth) {
        var items = new ArrayList<JsonValue>();
        for (var item : array.values()) {
            if (items.size() == cut.items) {
                items.add(new JsonString((array.size() - cut.items) + " more items are left out"));
                break;
            }
            items.add(cut(item, cut, depth + 1));
        }
        return new JsonArray(items);
    }
}
