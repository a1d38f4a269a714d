package dev.artel.engine.core.dispatch;

import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;

/// Since when some tasks wait, counted by the second: what is kept grows with the seconds in which tasks came, not with the
/// tasks. Single-threaded.
final class WaitTimes {
    private final TreeMap<Long, Count> counts = new TreeMap<>();
    private int tasks;

    /// The one that was counted last: tasks of a fan-out come in the same second.
    private long second = Long.MIN_VALUE;

    private Count latest = new Count();

    private static final class Count {
        int tasks;
    }

    void add(QueuedTask task) {
        var at = task.since().getEpochSecond();
        if (at != second) {
            latest = counts.computeIfAbsent(at, _ -> new Count());
            second = at;
        }
        latest.tasks++;
        tasks++;
    }

    /// Takes out a task that was added before.
    void remove(QueuedTask task) {
        var at = task.since().getEpochSecond();
        var count = at == second ? latest : counts.get(at);
        if (count == null || count.tasks == 0) {
            throw new IllegalStateException("no task waits since " + task.since());
        }
        count.tasks--;
        tasks--;
        if (count.tasks == 0) {
            counts.remove(at);
            second = Long.MIN_VALUE;
        }
    }

    int tasks() {
        return tasks;
    }

    /// Since when the one waits that waits longest, in whole seconds; empty if none waits.
    Optional<Instant> oldest() {
        return counts.isEmpty()
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(counts.firstKey()));
    }
}
