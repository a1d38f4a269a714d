package dev.artel.engine.shell;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How much memory the jobs take whose handlers run: each has all that its job is, for as long as it runs, and jobs that leave memory meanwhile do not
/// give it back. A client has half of what others leave, and one job however large it is. What finds no room has no place among handlers, and comes again
/// when there is some. Safe for use by many threads.
///
/// @param <T> what waits for room
final class RunningJobs<T> {
    /// Which part of the heap they have: one divided by it.
    private static final int PART = 4;

    /// Jobs below this weight, in bytes, are not counted: handlers have a bound in number.
    static final long NEGLIGIBLE = 128 << 10;

    private final long most;
    private final Map<String, Long> held = new LinkedHashMap<>();

    /// Of each client those that wait, which are one at least.
    private final Map<String, Deque<Waiting<T>>> waiting = new LinkedHashMap<>();

    private long all;

    private record Waiting<T>(T one, long weight) {}

    /// In this process.
    RunningJobs() {
        this(Runtime.getRuntime().maxMemory() / PART);
    }

    /// @param most how many bytes they take at most
    RunningJobs(long most) {
        this.most = most;
    }

    /// `job` of `client` runs, if it has room; else `one` waits for it.
    ///
    /// @return frees it; empty: there is none
    synchronized Optional<Runnable> begin(String client, long weight, T one) {
        if (weight < NEGLIGIBLE) {
            return Optional.of(() -> {});
        }
        if (!hasRoom(client, weight)) {
            waiting.computeIfAbsent(client, _ -> new ArrayDeque<>())
                    .add(new Waiting<>(one, weight));
            return Optional.empty();
        }
        held.merge(client, weight, Long::sum);
        all += weight;
        return Optional.of(() -> end(client, weight));
    }

    private boolean hasRoom(String client, long weight) {
        var own = held.getOrDefault(client, 0L);
        return own == 0 || own + weight <= (most - (all - own)) / 2;
    }

    private synchronized void end(String client, long weight) {
        all -= weight;
        held.computeIfPresent(client, (_, own) -> own <= weight ? null : (Long) (own - weight));
    }

    /// One of each client that waits and has room now, which begins again.
    synchronized List<T> next() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        var next = new ArrayList<T>();
        for (var line : waiting.entrySet()) {
            var first = line.getValue().getFirst();
            if (hasRoom(line.getKey(), first.weight())) {
                line.getValue().removeFirst();
                next.add(first.one());
            }
        }
        waiting.values().removeIf(Deque::isEmpty);
        return next;
    }

    /// How many wait.
    synchronized int waiting() {
        return waiting.values().stream().mapToInt(Deque::size).sum();
    }
}
