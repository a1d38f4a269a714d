package dev.artel.kernel.rules;

import java.util.Locale;

/// Numbers for people.
public final class Counts {
    private Counts() {}

    /// `10,001`.
    public static String of(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /// `once`, `2 times`.
    static String times(int count) {
        return count == 1 ? "once" : count + " times";
    }
}
