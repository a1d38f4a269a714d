package dev.artel.kernel.store;

import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.SequencedSet;

/// The words by which jobs are searched: runs of letters and digits, in lower case.
public final class SearchTerms {
    private SearchTerms() {}

    /// The words of `text`, each once, in their order.
    public static SequencedSet<String> of(String text) {
        var words = new LinkedHashSet<String>();
        var word = new StringBuilder();
        text.codePoints()
                .forEach(character -> {
                    if (Character.isLetterOrDigit(character)) {
                        word.appendCodePoint(character);
                    } else if (!word.isEmpty()) {
                        words.add(word.toString().toLowerCase(Locale.ROOT));
                        word.setLength(0);
                    }
                });
        if (!word.isEmpty()) {
            words.add(word.toString().toLowerCase(Locale.ROOT));
        }
        return words;
    }

    /// Whether all of `words`, in lower case, are among those of `text`. Of no other word anything is made.
    public static boolean areIn(SequencedSet<String> words, String text) {
        var missing = new LinkedHashSet<>(words);
        // No word is shorter in lower case.
        var longest = words.stream().mapToInt(String::length).max().orElse(0);
        var at = 0;
        while (at < text.length() && !missing.isEmpty()) {
            var begin = at;
            while (at < text.length() && Character.isLetterOrDigit(text.codePointAt(at))) {
                at += Character.charCount(text.codePointAt(at));
            }
            if (at > begin && at - begin <= longest) {
                missing.remove(text.substring(begin, at).toLowerCase(Locale.ROOT));
            }
            if (at == begin) {
                at += Character.charCount(text.codePointAt(at));
            }
        }
        return missing.isEmpty();
    }

    /// What is searched of `row`; empty for most jobs.
    public static String searched(JobRow row) {
        var text = new StringBuilder(row.error().orElse(""));
        row.labels()
                .forEach((name, value) -> text.append(' ').append(name).append(' ').append(value));
        return text.toString();
    }
}
