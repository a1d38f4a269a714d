package dev.artel.blueprint.annotated;

import dev.artel.kernel.blueprint.MissingValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedCollection;

/// Checks the words of a definition, which annotations know as text alone.
final class OutcomeWords {
    private OutcomeWords() {}

    /// Adds to `problems` the outcomes of a handler that are none of `words`.
    static void check(Marked marked, List<String> words, List<String> problems) {
        for (var word : marked.on().states().sequencedKeySet()) {
            if (!words.contains(word)) {
                problems.add(
                        marked
                                + " defines what follows '"
                                + word
                                + "', which is none of "
                                + words
                                + nearest("; ", word, words)
                                + "; correct it");
            }
        }
    }

    /// Names that one of `names` which is most like `name`, if one is.
    static String nearest(String before, String name, SequencedCollection<String> names) {
        return MissingValue.nearest(name, new LinkedHashSet<>(names))
                .map(near -> before + "the nearest is '" + near + "'")
                .orElse("");
    }
}
