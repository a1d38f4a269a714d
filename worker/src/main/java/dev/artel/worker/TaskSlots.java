package dev.artel.worker;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Counts the tasks in work against the limits, over all and per category. Safe for use by many threads.
final class TaskSlots {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final int max;
    private final Map<String, Integer> limits;
    private final Map<String, Integer> usedOf = new HashMap<>();
    private final Collection<@Nullable String> categories;
    private int used;
    private int waiting;

    /// @param categories those of all task types, null for a type without one
    TaskSlots(int max, Map<String, Integer> limits, Collection<@Nullable String> categories) {
        this.max = max;
        this.limits = limits;
        this.categories = categories;
    }

    boolean tryAcquire(@Nullable String category) {
        lock.lock();
        try {
            return take(category);
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a slot.
    ///
    /// @return whether there was one in time
    boolean acquire(@Nullable String category, Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            waiting++;
            var left = longest.toNanos();
            var isTaken = take(category);
            while (!isTaken && left > 0) {
                left = freed.awaitNanos(left);
                isTaken = take(category);
            }
            return isTaken;
        } finally {
            waiting--;
            lock.unlock();
        }
    }

    private boolean take(@Nullable String category) {
        if (used >= max || !hasRoom(category)) {
            return false;
        }
        occupy(category);
        return true;
    }

    private void occupy(@Nullable String category) {
        used++;
        if (category != null) {
            usedOf.merge(category, 1, Integer::sum);
        }
    }

    /// Takes a slot that there may not be.
    void seize(@Nullable String category) {
        lock.lock();
        try {
            occupy(category);
        } finally {
            lock.unlock();
        }
    }

    void release(@Nullable String category) {
        lock.lock();
        try {
            used--;
            if (category != null) {
                usedOf.merge(category, -1, Integer::sum);
            }
            freed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until a task of some type could begin.
    ///
    /// @return how many tasks could, as far as the limit over all goes; 0 if none could in time
    int awaitFree(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = longest.toNanos();
            while (free() == 0 && left > 0) {
                left = freed.awaitNanos(left);
            }
            return free();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the end of some task.
    void awaitRelease(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var before = used;
            var left = longest.toNanos();
            while (used >= before && left > 0) {
                left = freed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private int free() {
        return categories.stream().anyMatch(this::hasRoom) ? Math.max(0, max - used - waiting) : 0;
    }

    /// Whether every slot is taken.
    boolean isFull() {
        lock.lock();
        try {
            return used >= max;
        } finally {
            lock.unlock();
        }
    }

    /// Whether the category, if there is one, has room.
    boolean isOpen(@Nullable String category) {
        lock.lock();
        try {
            return hasRoom(category);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoom(@Nullable String category) {
        if (category == null) {
            return true;
        }
        var limit = limits.get(category);
        return limit == null || usedOf.getOrDefault(category, 0) < limit;
    }

    int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }
}
