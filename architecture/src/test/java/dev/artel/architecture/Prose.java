package dev.artel.architecture;

import java.util.regex.Pattern;

/// What people read in a file, apart from its code. Everything else is blanked, so that each character keeps its place
/// and its line.
final class Prose {
    /// One token of Java, of which the named ones are read: comments, texts, and names of tests.
    private static final Pattern JAVA =
            Pattern.compile(
                    """
                    (?<comment>//[^\\n]*|/\\*.*?\\*/)\
                    |(?<block>\""".*?\""")\
                    |(?<text>"[^"\\\\\\n]*+(?:\\\\.[^"\\\\\\n]*+)*+")\
                    |'(?:\\\\.|[^'\\\\\\n])++'\
                    |\\bvoid (?<test>\\w+)\\(\
                    """,
                    Pattern.DOTALL);

    /// What begins a line of a comment, and what ends a line that continues: a phrase may run over it.
    private static final Pattern WRAPPING = Pattern.compile("\\s*\\n[ \\t]*(?:///?|\\*|#|>|-- )?");

    private static final Pattern PARAM = Pattern.compile("@param \\w+");

    private Prose() {}

    /// The comments, texts and names of tests of a Java source; all else is blank.
    static String ofJava(String source) {
        var prose = new StringBuilder(blank(source));
        var tokens = JAVA.matcher(source);
        while (tokens.find()) {
            for (var kind : new String[] {"comment", "block", "text", "test"}) {
                if (tokens.group(kind) != null) {
                    prose.replace(tokens.start(kind), tokens.end(kind), tokens.group(kind));
                }
            }
        }
        return PARAM.matcher(prose).replaceAll(param -> " ".repeat(param.group().length()));
    }

    /// `text` on one line, as long as before: where a line is wrapped there are spaces.
    static String unwrapped(String text) {
        return WRAPPING.matcher(text).replaceAll(wrap -> " ".repeat(wrap.group().length()));
    }

    private static String blank(String source) {
        return source.replaceAll("[^\\n]", " ");
    }
}
