package dev.artel.architecture;

import java.util.regex.Pattern;

/// Words that a class name may not have: some anywhere, some only where they say nothing.
final class BannedNames {
    private static final String WORD_ENDS = "(?![a-z])";
    private static final String ANYWHERE =
            "\\w*(?:Impl|Manager|Helper|Utils?|Processor|Abstract|Common)" + WORD_ENDS + "\\w*";
    private static final String FIRST = "Base" + WORD_ENDS + "\\w*";
    private static final String LAST = "\\w*(?:Data|Info)";

    /// Matches the full name of a class one of whose simple names is banned.
    static final Pattern PATTERN =
            Pattern.compile("(?:.*[.$])?(?:" + ANYWHERE + "|" + FIRST + "|" + LAST + ")(?:\\$.*)?");

    private BannedNames() {}
}
