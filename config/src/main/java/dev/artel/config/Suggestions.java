package dev.artel.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/// Guesses what somebody meant.
public final class Suggestions {
    private static final int LONGEST = 100;

    private Suggestions() {}

    /// `; did you mean X?`, or nothing if none of `known` is like `given`. What has more than 100 characters is like none: it may come from a request, and
    /// to compare takes time by its length.
    public static String like(String given, Collection<String> known) {
        if (given.length() > LONGEST) {
            return "";
        }
        var word = given.toLowerCase(Locale.ROOT);
        return known.stream()
                .min(Comparator.comparingInt(each -> distance(word, each.toLowerCase(Locale.ROOT))))
                .filter(each ->
                        distance(word, each.toLowerCase(Locale.ROOT))
                                <= Math.max(2, given.length() / 3))
                .map(each -> "; did you mean " + each + "?")
                .orElse("");
    }

    /// How many letters have to change.
    private static int distance(String left, String right) {
        var before = new int[right.length() + 1];
        for (var j = 0; j <= right.length(); j++) {
            before[j] = j;
        }
        for (var i = 1; i <= left.length(); i++) {
            var now = new int[right.length() + 1];
            now[0] = i;
            for (var j = 1; j <= right.length(); j++) {
                var same = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
                now[j] = Math.min(before[j - 1] + same, 1 + Math.min(before[j], now[j - 1]));
            }
            before = now;
        }
        return before[right.length()];
    }
}
