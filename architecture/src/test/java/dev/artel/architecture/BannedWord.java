package dev.artel.architecture;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// A word that the project does not use, or a phrase.
///
/// A name (it begins with a capital letter) is searched everywhere, as a whole word of any identifier: `Branch` is found
/// in `MainBranch` and `BranchOpened`, and not in `Branches`. Any other word is searched in prose, in any case. One
/// behind `code:` is searched in all that sources of programs have, in any case. `code:said except Said, SaidAll` leaves
/// alone the identifiers `Said` and `SaidAll`: names of types that stay.
///
/// @param word a space stands for any space, and inside names of tests for a letter in upper case: `for ever` is found in
///     `itWaitsForEver`, and not in `forever`
/// @param instead what to write
/// @param inCode whether it is searched in identifiers too, and in sources alone
/// @param allowed whole identifiers that may have it
record BannedWord(String word, String instead, boolean inCode, Set<String> allowed) {
    private static final String CODE = "code:";
    private static final String EXCEPT = " except ";
    private static final String BEGINS = "(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))";
    private static final String ENDS = "(?![a-z])";
    private static final String SPACE = "(?:[\\s_]+|(?-i:(?<=[a-z])(?=[A-Z])))";

    /// In names of constants all letters are capital ones.
    private static final String ENDS_IN_CODE = "(?![a-z])(?<![A-Z](?=[A-Z]))";

    /// A word for prose, or a name.
    BannedWord(String word, String instead) {
        this(word, instead, false);
    }

    /// A word that no identifier may have, or a word for prose.
    BannedWord(String word, String instead, boolean inCode) {
        this(word, instead, inCode, Set.of());
    }

    /// One line for each word, `word -> instead`; `#` begins a comment.
    static List<BannedWord> read(List<String> lines) {
        var words = new ArrayList<BannedWord>();
        for (var line : lines) {
            if (!line.isBlank() && !line.startsWith("#")) {
                var parts = line.split(" -> ", 2);
                if (parts.length < 2) {
                    throw new IllegalArgumentException(
                            "banned-words.txt: \""
                                    + line
                                    + "\" is not \"word -> what to write instead\"");
                }
                var inCode = parts[0].startsWith(CODE);
                var word = inCode ? parts[0].substring(CODE.length()) : parts[0];
                var names = word.split(EXCEPT, 2);
                var allowed = names.length < 2 ? Set.<String>of() : Set.of(names[1].split(", "));
                words.add(new BannedWord(names[0].strip(), parts[1].strip(), inCode, allowed));
            }
        }
        return List.copyOf(words);
    }

    boolean isName() {
        return Character.isUpperCase(word.charAt(0));
    }

    /// Whether what was found in `text` from `start` to `end` is a part of an identifier that may have it.
    boolean allows(String text, int start, int end) {
        var from = start;
        while (from > 0 && Character.isJavaIdentifierPart(text.charAt(from - 1))) {
            from--;
        }
        var to = end;
        while (to < text.length() && Character.isJavaIdentifierPart(text.charAt(to))) {
            to++;
        }
        return allowed.contains(text.substring(from, to));
    }

    /// Whether `text`, all in lower case, may have the word: quicker to find out than with the [#pattern].
    boolean mayBeIn(String text) {
        for (var part : word.toLowerCase(Locale.ROOT).split(" ", -1)) {
            if (!text.contains(part)) {
                return false;
            }
        }
        return true;
    }

    Pattern pattern() {
        var letters = new StringBuilder();
        for (var part : word.split(" ", -1)) {
            letters.append(letters.isEmpty() ? "" : SPACE).append(Pattern.quote(part));
        }
        var anyCase = isName() ? letters.toString() : "(?i:" + letters + ")";
        var ends = inCode ? ENDS_IN_CODE : ENDS;
        return Pattern.compile(BEGINS + anyCase + ends);
    }
}
