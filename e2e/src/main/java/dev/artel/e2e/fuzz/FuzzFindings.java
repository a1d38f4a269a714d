package dev.artel.e2e.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What is wrong, each with how often it was seen and a few examples. Safe for use by many threads.
final class FuzzFindings {
    private static final int MOST = 100;
    private static final int EXAMPLES = 3;
    private static final int LONGEST = 400;

    private final SortedMap<String, Seen> found = new TreeMap<>();

    private static final class Seen {
        private int times;
        private final List<String> examples = new ArrayList<>();
    }

    /// Adds a finding.
    ///
    /// @param what the same for all of a kind
    void add(String what) {
        add(what, "");
    }

    /// @param example what led to it
    synchronized void add(String what, String example) {
        var isKnown = found.containsKey(what) || found.size() < MOST;
        var seen = found.computeIfAbsent(isKnown ? what : "others", _ -> new Seen());
        seen.times++;
        if (!example.isEmpty() && seen.examples.size() < EXAMPLES) {
            var printable = example.replaceAll("[^ -~]", "?");
            seen.examples.add(printable.substring(0, Math.min(LONGEST, printable.length())));
        }
    }

    /// One line for each.
    synchronized List<String> lines() {
        return found.entrySet().stream()
                .map(each ->
                        each.getValue().times
                                + " times: "
                                + each.getKey()
                                + (each.getValue().examples.isEmpty()
                                        ? ""
                                        : ", such as " + each.getValue().examples))
                .toList();
    }
}
