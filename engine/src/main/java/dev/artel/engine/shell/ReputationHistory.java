package dev.artel.engine.shell;

import dev.artel.kernel.attempt.WorkerId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/// How the reputations of the workers that are there have changed since they connected. Safe for use by many threads.
///
/// Bounded: [#MOST_WORKERS] workers, [#MOST_EACH] points of each, one for [#STEP] at most, and [#MOST_POINTS] in all. Where there is no room, the
/// oldest point of the worker goes.
final class ReputationHistory {
    static final Duration STEP = Duration.ofSeconds(10);
    static final int MOST_EACH = 120;
    static final int MOST_WORKERS = 10_000;
    static final int MOST_POINTS = 200_000;

    private final ConcurrentMap<WorkerId, Deque<ReputationPoint>> byWorker =
            new ConcurrentHashMap<>();
    private final AtomicInteger points = new AtomicInteger();

    /// A worker is there, with a reputation of `score`.
    void begin(WorkerId worker, Instant at, double score) {
        if (byWorker.size() < MOST_WORKERS && points.get() < MOST_POINTS) {
            byWorker.computeIfAbsent(
                    worker,
                    _ -> {
                        points.incrementAndGet();
                        return new ArrayDeque<>(List.of(new ReputationPoint(at, score)));
                    });
        }
    }

    /// The reputation of a worker is `score`, which may be what it was. Unknown workers are left out.
    void add(WorkerId worker, Instant at, double score) {
        byWorker.computeIfPresent(
                worker,
                (_, history) -> {
                    var last = history.getLast();
                    if (last.score() != score) {
                        add(history, last, new ReputationPoint(at, score));
                    }
                    return history;
                });
    }

    private void add(Deque<ReputationPoint> history, ReputationPoint last, ReputationPoint next) {
        if (history.size() > 1 && next.at().isBefore(last.at().plus(STEP))) {
            // Its time stays: it would move ahead forever otherwise.
            history.removeLast();
            history.addLast(new ReputationPoint(last.at(), next.score()));
            return;
        }
        history.addLast(next);
        if (history.size() > MOST_EACH) {
            history.removeFirst();
        } else if (points.incrementAndGet() > MOST_POINTS) {
            history.removeFirst();
            points.decrementAndGet();
        }
    }

    /// A worker is not there any more.
    void end(WorkerId worker) {
        var history = byWorker.remove(worker);
        if (history != null) {
            points.addAndGet(-history.size());
        }
    }

    /// The history of a worker, the oldest first; empty if it is not there.
    List<ReputationPoint> of(WorkerId worker) {
        var found = new ArrayDeque<ReputationPoint>();
        byWorker.computeIfPresent(
                worker,
                (_, history) -> {
                    found.addAll(history);
                    return history;
                });
        return List.copyOf(found);
    }

    int points() {
        return points.get();
    }
}
