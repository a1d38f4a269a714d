package dev.artel.worker.link;

import dev.artel.protocol.TaskResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Results that the orchestrator has not confirmed yet, oldest first. Bounded: who adds to a full one waits.
/// With a directory a result is durable when [#put] returns and comes back after a restart.
final class Outbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LinkedHashSet<Parcel> parcels = new LinkedHashSet<>();
    private final int capacity;
    private final @Nullable ParcelShelf shelf;

    Outbox(int capacity, @Nullable ParcelShelf shelf) {
        this.capacity = capacity;
        this.shelf = shelf;
        if (shelf != null) {
            parcels.addAll(shelf.load());
        }
    }

    /// Adds a result; waits while the box is full.
    void put(TaskResult result) throws InterruptedException {
        var parcel = Parcel.of(result);
        lock.lockInterruptibly();
        try {
            while (isFull()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        putAnyway(parcel);
    }

    /// Adds a result without waiting.
    void putAnyway(Parcel parcel) {
        add(shelf == null ? parcel : shelf.store(parcel));
    }

    private void add(Parcel parcel) {
        lock.lock();
        try {
            parcels.add(parcel);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until there is a result.
    void awaitAny() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (parcels.isEmpty()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The oldest results, at least one, without removing them. Waits until there is one.
    List<Parcel> await(int max, int maxBytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (parcels.isEmpty()) {
                changed.await();
            }
            var batch = new ArrayList<Parcel>(Math.min(max, parcels.size()));
            var bytes = 0;
            for (var parcel : parcels) {
                bytes += parcel.envelope().length;
                if (batch.size() == max || (bytes > maxBytes && !batch.isEmpty())) {
                    break;
                }
                batch.add(parcel);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what is delivered or given up.
    void remove(Parcel parcel) {
        lock.lock();
        try {
            parcels.remove(parcel);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (shelf != null) {
            shelf.discard(parcel);
        }
    }

    /// Lets others go first.
    void defer(Parcel parcel) {
        lock.lock();
        try {
            if (parcels.remove(parcel)) {
                parcels.addLast(parcel);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isFull() {
        lock.lock();
        try {
            return parcels.size() >= capacity;
        } finally {
            lock.unlock();
        }
    }

    /// The leases whose results are not confirmed.
    List<String> leases() {
        lock.lock();
        try {
            return parcels.stream().map(Parcel::lease).toList();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until all is delivered.
    ///
    /// @return how many results are left
    int awaitEmpty(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = longest.toNanos();
            while (!parcels.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return parcels.size();
        } finally {
            lock.unlock();
        }
    }
}
