package dev.artel.engine.shell;

import java.util.Comparator;

/// The order of versions as people write them: `1.9` before `1.10`, numbers before words, `2` before `2.1`, and
/// `2-beta` before `2`.
final class Versions {
    static final Comparator<String> ORDER =
            Comparator.comparing(Versions::release, Versions::compareParts)
                    .thenComparing(Versions::suffix, Versions::compareSuffixes)
                    .thenComparing(Comparator.naturalOrder());

    private Versions() {}

    private static String release(String version) {
        var dash = version.indexOf('-');
        return dash < 0 ? version : version.substring(0, dash);
    }

    private static String suffix(String version) {
        var dash = version.indexOf('-');
        return dash < 0 ? "" : version.substring(dash + 1);
    }

    private static int compareSuffixes(String one, String other) {
        if (one.isEmpty() || other.isEmpty()) {
            return Boolean.compare(one.isEmpty(), other.isEmpty());
        }
        return compareParts(one, other);
    }

    private static int compareParts(String one, String other) {
        var left = one.split("[._]", -1);
        var right = other.split("[._]", -1);
        for (var i = 0; i < Math.min(left.length, right.length); i++) {
            var order = comparePart(left[i], right[i]);
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(left.length, right.length);
    }

    private static int comparePart(String one, String other) {
        var isNumber = isNumber(one);
        if (isNumber && isNumber(other)) {
            return compareNumbers(withoutZeros(one), withoutZeros(other));
        }
        return isNumber == isNumber(other) ? one.compareTo(other) : isNumber ? -1 : 1;
    }

    /// Of two numbers the longer one is larger: to read numbers of any length takes time, and versions come from outside.
    private static int compareNumbers(String one, String other) {
        return one.length() == other.length()
                ? one.compareTo(other)
                : Integer.compare(one.length(), other.length());
    }

    private static String withoutZeros(String digits) {
        return digits.replaceFirst("^0+", "");
    }

    private static boolean isNumber(String part) {
        return !part.isEmpty() && part.chars().allMatch(c -> c >= '0' && c <= '9');
    }
}
