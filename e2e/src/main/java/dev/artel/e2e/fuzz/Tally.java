package dev.artel.e2e.fuzz;

import java.util.SortedMap;
import java.util.TreeMap;

/// What became of hostile frames, and how often. Safe for use by many threads.
final class Tally {
    private static final int MOST = 500;

    private final SortedMap<String, Long> counts = new TreeMap<>();

    synchronized void add(String outcome) {
        var known = counts.containsKey(outcome) || counts.size() < MOST ? outcome : "others";
        counts.merge(known, 1L, Long::sum);
    }

    synchronized SortedMap<String, Long> all() {
        return new TreeMap<>(counts);
    }
}
