package dev.artel.architecture;

import java.util.regex.Pattern;

/// Words that a class name may not have: some anywhere, some only where they mean nothing.
final class BannedNames {
    private static final String WORD_ENDS = "(?![a-z])";
    private static final String ANYWHERE =
            "\\w*(?:Impl|Manager|Helper|Utils?|Processor|Abstract|Common)" + WORD_ENDS + "\\w*";
    private static final String FIRST = "Base" + WORD_ENDS + "\\w*";
    private static final String LAST = "\\w*(?:Data|Info)";

    /// Words of the vocabulary itself: what a job carries is called its data.
    private static final String ALLOWED = "(?!.*\\.JobData(?:\\$.*)?$)";

    /// Matches the full name of a class one of whose simple names is banned.
    static final Pattern PATTERN =
            Pattern.compile(
                    ALLOWED
                            + "(?:.*[.$])?(?:"
                            + ANYWHERE
                            + "|"
                            + FIRST
                            + "|"
                            + LAST
                            + ")(?:\\$.*)?");

    private BannedNames() {}
}
