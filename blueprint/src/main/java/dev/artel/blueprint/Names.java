package dev.artel.blueprint;

import java.util.regex.Pattern;

/// What things may be called that are found by their name.
final class Names {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,100}");

    private Names() {}

    static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /// Refuses `name` if it is none.
    ///
    /// @param what what is called so: `a signal's name`
    static void check(String what, String name) {
        if (!isName(name)) {
            throw new IllegalArgumentException(
                    what
                            + " must have 1 to 100 letters, digits, '-', '_' or '.', was '"
                            + name
                            + "'");
        }
    }
}
