package dev.artel.architecture;

import java.util.regex.Pattern;

/// Regular expressions that repeat a group without end, such as `X(,X)*`. Java takes a part of the stack for each round: a text of a few thousand
/// parts ends the thread that matches it. A group that gives nothing back (`(,X)*+`) is matched in a loop, and so is a repeated class of characters.
final class RepeatedGroups {
    /// What has no meaning of its own: escaped characters, quotations, and classes of characters, those inside them included.
    private static final Pattern PLAIN =
            Pattern.compile(
                    "\\\\Q.*?(?:\\\\E|$)|\\\\.|\\[\\^?]?(?:[^\\[\\]\\\\]|\\\\.|\\[(?:[^\\[\\]\\\\]|\\\\.)*+])*+]",
                    Pattern.DOTALL);

    private static final Pattern REPEATED =
            Pattern.compile("\\)(?:[*+]|\\{[0-9]+,}|\\{[0-9]+,[0-9]{4,}})(?!\\+)");

    private RepeatedGroups() {}

    /// Whether `expression` has one.
    static boolean areIn(String expression) {
        return REPEATED.matcher(PLAIN.matcher(expression).replaceAll("_")).find();
    }
}
