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
final class ReputationTrails {
    static final Duration STEP = Duration.ofSeconds(10);
    static final int MOST_EACH = 120;
    static final int MOST_WORKERS = 10_000;
    static final int MOST_POINTS = 200_000;

    private final ConcurrentMap<WorkerId, Deque<ReputationPoint>> trails =
            new ConcurrentHashMap<>();
    private final AtomicInteger points = new AtomicInteger();

    /// A worker is there, with a reputation of `score`.
    void begin(WorkerId worker, Instant at, double score) {
        if (trails.size() < MOST_WORKERS && points.get() < MOST_POINTS) {
            trails.computeIfAbsent(
                    worker,
                    _ -> {
                        points.incrementAndGet();
                        return new ArrayDeque<>(List.of(new ReputationPoint(at, score)));
                    });
        }
    }

    /// The reputation of a worker is `score`, which may be what it was. Unknown workers are left out.
    void add(WorkerId worker, Instant at, double score) {
        trails.computeIfPresent(
                worker,
                (_, trail) -> {
                    var last = trail.getLast();
                    if (last.score() != score) {
                        add(trail, last, new ReputationPoint(at, score));
                    }
                    return trail;
                });
    }

    private void add(Deque<ReputationPoint> trail, ReputationPoint last, ReputationPoint next) {
        if (trail.size() > 1 && next.at().isBefore(last.at().plus(STEP))) {
            // Its time stays: it would move ahead forever otherwise.
            trail.removeLast();
            trail.addLast(new ReputationPoint(last.at(), next.score()));
            return;
        }
        trail.addLast(next);
        if (trail.size() > MOST_EACH) {
            trail.removeFirst();
        } else if (points.incrementAndGet() > MOST_POINTS) {
            trail.removeFirst();
            points.decrementAndGet();
        }
    }

    /// A worker is not there any more.
    void end(WorkerId worker) {
        var trail = trails.remove(worker);
        if (trail != null) {
            points.addAndGet(-trail.size());
        }
    }

    /// The trail of a worker, the oldest first; empty if it is not there.
    List<ReputationPoint> of(WorkerId worker) {
        var found = new ArrayDeque<ReputationPoint>();
        trails.computeIfPresent(
                worker,
                (_, trail) -> {
                    found.addAll(trail);
                    return trail;
                });
        return List.copyOf(found);
    }

    int points() {
        return points.get();
    }
}
