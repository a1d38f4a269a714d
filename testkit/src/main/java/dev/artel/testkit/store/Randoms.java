package dev.artel.testkit.store;

import dev.artel.json.JsonArray;
import dev.artel.json.JsonNull;
import dev.artel.json.JsonObject;
import dev.artel.json.JsonValue;
import java.util.ArrayList;
import java.util.SplittableRandom;

/// Random JSON values of all kinds and of many sizes.
public final class Randoms {
    private static final int DEEPEST = 4;

    private Randoms() {}

    /// A value with texts of at most `longest` characters.
    public static JsonValue value(SplittableRandom random, int longest) {
        return value(random, longest, DEEPEST);
    }

    private static JsonValue value(SplittableRandom random, int longest, int depth) {
        return switch (random.nextInt(depth == 0 ? 5 : 8)) {
            case 0 -> JsonNull.NULL;
            case 1 -> JsonValue.of(random.nextBoolean());
            case 2 -> JsonValue.of(random.nextLong());
            case 3 -> JsonValue.of(random.nextDouble());
            case 4 -> JsonValue.of(text(random, longest));
            case 5 -> {
                var values = new ArrayList<JsonValue>();
                for (var i = random.nextInt(10); i > 0; i--) {
                    values.add(value(random, longest / 4, depth - 1));
                }
                yield new JsonArray(values);
            }
            default -> {
                var object = JsonObject.builder();
                for (var i = random.nextInt(10); i > 0; i--) {
                    object.put(text(random, 8) + i, value(random, longest / 4, depth - 1));
                }
                yield object.build();
            }
        };
    }

    private static String text(SplittableRandom random, int longest) {
        var pieces = new String[] {"a", "\"", "\\", ",", " ", "}", "\u00fc", "\n", "\ud83d\ude00"};
        var length = random.nextInt(Math.max(1, longest)) >>> random.nextInt(8);
        var text = new StringBuilder();
        while (text.length() < length) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }
}
