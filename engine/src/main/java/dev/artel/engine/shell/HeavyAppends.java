package dev.artel.engine.shell;

import dev.artel.kernel.job.JobEvent;
import dev.artel.kernel.store.Append;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/// Appends that cost the store much more than others, since the labels of their jobs come into its indexes: a few of them go with each commit, by turns of
/// clients, so that a thousand at once keep those of others from becoming durable for no longer than a commit. For one thread.
///
/// @param <T> an append that waits
final class HeavyAppends<T> {
    /// Labels of fewer characters cost little.
    static final int LIGHT = 2_000;

    /// So many characters of labels go with each commit, and one append at least.
    static final int MOST = 64 << 10;

    /// Of each client those that wait, which are one at least; order: that of the turns.
    private final SequencedMap<String, Deque<Waiting<T>>> waiting = new LinkedHashMap<>();

    private record Waiting<T>(T one, long weight) {}

    /// How many characters of labels are indexed because of `append`; 0 if those are few.
    static long weight(Append append) {
        var row = append.row();
        var weight = 0L;
        for (var label : row.labels().entrySet()) {
            weight += label.getKey().length() + label.getValue().length();
        }
        return weight > LIGHT && isIndexed(append) ? weight : 0;
    }

    /// Labels are indexed when their job is new and when they change, their words when it is closed.
    private static boolean isIndexed(Append append) {
        return append.expected() == 0
                || append.row().closed()
                || append.events().stream().anyMatch(JobEvent.JobChanged.class::isInstance);
    }

    void add(String client, T one, long weight) {
        waiting.computeIfAbsent(client, _ -> new ArrayDeque<>()).add(new Waiting<>(one, weight));
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /// Those that go with the next commit.
    List<T> take() {
        var taken = new ArrayList<T>();
        var weight = 0L;
        while (weight < MOST && !waiting.isEmpty()) {
            var turn = waiting.pollFirstEntry();
            var first = turn.getValue().removeFirst();
            if (!turn.getValue().isEmpty()) {
                waiting.putLast(turn.getKey(), turn.getValue());
            }
            taken.add(first.one());
            weight += first.weight();
        }
        return taken;
    }
}
