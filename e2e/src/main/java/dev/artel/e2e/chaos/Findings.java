package dev.artel.e2e.chaos;

import java.util.LinkedHashMap;
import java.util.Map;

/// What is wrong. Safe for use by many threads.
final class Findings {
    private static final int MOST = 200;

    private final Map<String, Integer> found = new LinkedHashMap<>();

    /// Adds a finding; the same one again is only counted, and so are those beyond 200.
    synchronized void add(String finding) {
        if (found.containsKey(finding) || found.size() < MOST) {
            found.merge(finding, 1, Integer::sum);
        } else {
            found.merge("more findings, which are not listed", 1, Integer::sum);
        }
    }

    /// Each finding with how often it was found.
    synchronized Map<String, Integer> all() {
        return new LinkedHashMap<>(found);
    }
}
