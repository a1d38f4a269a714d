package dev.artel.redis;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Keys that wait to be looked at. However often one is announced, it waits once, and one thread at a time looks at it. Safe for use by many
/// threads.
final class WaitingKeys {
    private final int most;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final SequencedSet<String> waiting = new LinkedHashSet<>();

    /// Those that are looked at, and whether they were announced since.
    private final Map<String, Boolean> taken = new HashMap<>();

    /// @param most that wait at once
    WaitingKeys(int most) {
        this.most = most;
    }

    /// Has `key` looked at, or looked at again if that has begun.
    ///
    /// @return whether there was room for it
    boolean offer(String key) {
        lock.lock();
        try {
            if (taken.replace(key, true) != null || waiting.contains(key)) {
                return true;
            }
            if (waiting.size() >= most) {
                return false;
            }
            waiting.add(key);
            changed.signalAll();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// As [#offer(String)], and waits for room.
    boolean offer(String key, Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = longest.toNanos();
            while (!offer(key)) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// The key that has waited longest, for the caller alone until it is [#done]; empty if there is none in time.
    Optional<String> take(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = longest.toNanos();
            while (waiting.isEmpty()) {
                if (left <= 0) {
                    return Optional.empty();
                }
                left = changed.awaitNanos(left);
            }
            var key = waiting.removeFirst();
            taken.put(key, false);
            changed.signalAll();
            return Optional.of(key);
        } finally {
            lock.unlock();
        }
    }

    /// Ends the look at `key`, which waits again, behind all others, if it was announced meanwhile.
    void done(String key) {
        lock.lock();
        try {
            if (Boolean.TRUE.equals(taken.remove(key))) {
                waiting.add(key);
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
