package dev.artel.access;

import io.github.bucket4j.Bucket;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/// Token buckets by key, at most a number of them: the one that was asked for longest ago goes first. A refused
/// request takes nothing, so that a client that waits as long as the answer states is served. Safe for use by many
/// threads.
final class RateLimiter {
    /// Wrong tokens from one address, of clients and of workers each.
    static final int REFUSED_PER_MINUTE = 120;

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final int most;
    private final TimeMeter time;
    private final LongAdder refused = new LongAdder();
    private final ReentrantLock lock = new ReentrantLock();
    private final LinkedHashMap<Key, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);

    /// Whose requests of which kind are counted.
    ///
    /// @param perMinute how many there may be, all at once if they like
    record Key(String who, String kind, int perMinute) {}

    RateLimiter(int most, TimeMeter time) {
        this.most = most;
        this.time = time;
    }

    /// Takes one request.
    ///
    /// @return how long to wait; empty if it may go on
    Optional<Duration> take(Key key) {
        return take(key, 1);
    }

    /// Takes `count` at once.
    ///
    /// @return how long to wait; empty if it may go on
    Optional<Duration> take(Key key, int count) {
        if (key.perMinute() == 0 || count == 0) {
            return Optional.empty();
        }
        var probe = bucket(key).tryConsumeAndReturnRemaining(count);
        if (probe.isConsumed()) {
            return Optional.empty();
        }
        refused.increment();
        return Optional.of(Duration.ofNanos(probe.getNanosToWaitForRefill()));
    }

    /// Takes as many as there are, at most `count`.
    ///
    /// @return how many; 0 only if there is none now
    int takeUpTo(Key key, int count) {
        return key.perMinute() == 0 ? count : (int) bucket(key).tryConsumeAsMuchAsPossible(count);
    }

    /// A request that was taken does not count after all.
    void giveBack(Key key) {
        giveBack(key, 1);
    }

    /// Of those that were taken, `count` do not count after all.
    void giveBack(Key key, int count) {
        if (key.perMinute() != 0 && count > 0) {
            bucket(key).addTokens(count);
        }
    }

    long refused() {
        return refused.sum();
    }

    int size() {
        lock.lock();
        try {
            return buckets.size();
        } finally {
            lock.unlock();
        }
    }

    private Bucket bucket(Key key) {
        lock.lock();
        try {
            var bucket = buckets.get(key);
            if (bucket == null) {
                bucket = fresh(key.perMinute());
                buckets.put(key, bucket);
                if (buckets.size() > most) {
                    Map.Entry<Key, Bucket> eldest = buckets.firstEntry();
                    buckets.remove(eldest.getKey());
                }
            }
            return bucket;
        } finally {
            lock.unlock();
        }
    }

    private Bucket fresh(int perMinute) {
        return Bucket.builder()
                .addLimit(limit -> limit.capacity(perMinute).refillGreedy(perMinute, MINUTE))
                .withCustomTimePrecision(time)
                .build();
    }
}
