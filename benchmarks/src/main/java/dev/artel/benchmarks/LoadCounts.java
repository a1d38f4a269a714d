package dev.artel.benchmarks;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/// What the workers of a load program have counted. Safe for use by many threads.
final class LoadCounts {
    private final AtomicLong done = new AtomicLong();
    private final AtomicLong beats = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();
    private final Set<String> receivers = ConcurrentHashMap.newKeySet();
    private final LatencyLog latencies = new LatencyLog();

    /// The result of a task was acknowledged.
    ///
    /// @param sentAt as in [LatencyLog#acknowledged]
    void acknowledged(long sentAt) {
        done.incrementAndGet();
        latencies.acknowledged(sentAt);
    }

    /// A worker received a task that it holds.
    void hasReceived(String worker) {
        receivers.add(worker);
    }

    void hasBeaten() {
        beats.incrementAndGet();
    }

    void hasBroken() {
        broken.incrementAndGet();
    }

    /// Answers a line of the benchmark: `latency` with [LatencyLog#toString], `reset` when that is empty, `received` with how many workers have been given a task that they hold, and any other one with how many results
    /// and how many heartbeats were acknowledged since the last such line, and how many connections broke.
    String answer(String line) {
        return switch (line) {
            case "latency" -> latencies.toString();
            case "received" -> Integer.toString(receivers.size());
            case "reset" -> {
                latencies.reset();
                yield "reset";
            }
            default -> done.getAndSet(0) + " " + beats.getAndSet(0) + " " + broken.get();
        };
    }
}
