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

    /// What is searched of `row`; empty for most jobs.
    public static String searched(JobRow row) {
        var text = new StringBuilder(row.error().orElse(""));
        row.labels()
                .forEach((name, value) -> text.append(' ').append(name).append(' ').append(value));
        return text.toString();
    }
}
