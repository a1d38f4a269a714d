package dev.artel.json.bind;

import java.util.ArrayList;
import java.util.List;

/// What does not fit of one value, as far as it is reported: a value of a megabyte may have hundreds of thousands of them, each of which
/// takes more memory than what it is about. Not safe for use by many threads.
final class Mismatches {
    /// So many are reported, and that there are more.
    static final int MOST = 100;

    /// The longest part of a path that a value chooses, in characters.
    private static final int LONGEST_NAME = 200;

    /// The longest problem, in characters: an author's code may repeat a value.
    private static final int LONGEST_PROBLEM = 2_000;

    private final List<Mismatch> found = new ArrayList<>();
    private boolean isFull;

    /// One more, of which nothing is kept if there are as many as are reported.
    void add(String path, String problem) {
        if (found.size() < MOST) {
            found.add(new Mismatch(path, shortened(problem, LONGEST_PROBLEM)));
        } else if (!isFull) {
            isFull = true;
            found.add(
                    new Mismatch(
                            path,
                            "does not fit either; of all that does not, the first "
                                    + MOST
                                    + " are reported"));
        }
    }

    /// Whether nothing more is reported, so that it need not be looked for.
    boolean isFull() {
        return isFull;
    }

    /// How many are known: more than before if a part did not fit, unless [#isFull].
    int size() {
        return found.size();
    }

    boolean isEmpty() {
        return found.isEmpty();
    }

    /// All that are reported.
    List<Mismatch> all() {
        return List.copyOf(found);
    }

    /// The path of the member `name` of what stands at `path`. A value chooses how long its names are.
    static String path(String path, String name) {
        return path + "." + shortened(name, LONGEST_NAME);
    }

    private static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        var end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "... (" + text.length() + " characters)";
    }
}
