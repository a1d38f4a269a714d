package dev.artel.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// How long tasks took, in a load program. Safe for use by many threads.
final class LatencyLog {
    private static final String SENT_AT = "\"" + PacedLoad.SENT_AT + "\":";

    private final List<Long> nanos = new ArrayList<>();

    /// When a task was due to be submitted; 0 if it does not know.
    ///
    /// @param task as it was received
    static long sentAt(String task) {
        var found = task.indexOf(SENT_AT);
        if (found < 0) {
            return 0;
        }
        var from = found + SENT_AT.length();
        var to = from;
        while (Character.isDigit(task.charAt(to))) {
            to++;
        }
        return Long.parseLong(task, from, to, 10);
    }

    /// A result was acknowledged.
    ///
    /// @param sentAt of the task; 0: it is not counted
    synchronized void acknowledged(long sentAt) {
        if (sentAt != 0) {
            nanos.add(System.nanoTime() - sentAt);
        }
    }

    synchronized void reset() {
        nanos.clear();
    }

    /// How many there are, and the milliseconds of their 50th and 99th percentiles.
    @Override
    public synchronized String toString() {
        var sorted = nanos.stream().sorted().toList();
        return sorted.isEmpty()
                ? "0 0 0"
                : String.format(
                        Locale.ROOT,
                        "%d %.3f %.3f",
                        sorted.size(),
                        sorted.get(sorted.size() / 2) / 1e6,
                        sorted.get(sorted.size() * 99 / 100) / 1e6);
    }
}
