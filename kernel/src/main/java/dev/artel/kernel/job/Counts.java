package dev.artel.kernel.job;

import java.util.Locale;

/// Numbers for people.
final class Counts {
    private Counts() {}

    /// `10,001`.
    static String of(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// `once`, `2 times`.
    static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }
}
