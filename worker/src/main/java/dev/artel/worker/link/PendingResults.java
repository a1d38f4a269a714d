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
final class PendingResults {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LinkedHashSet<PendingResult> pendingResults = new LinkedHashSet<>();
    private final int capacity;
    private final @Nullable PendingResultFiles files;

    PendingResults(int capacity, @Nullable PendingResultFiles files) {
        this.capacity = capacity;
        this.files = files;
        if (files != null) {
            pendingResults.addAll(files.load());
        }
    }

    /// Adds a result; waits while the box is full.
    void put(TaskResult result) throws InterruptedException {
        var pendingResult = PendingResult.of(result);
        lock.lockInterruptibly();
        try {
            while (isFull()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
        putAnyway(pendingResult);
    }

    /// Adds a result without waiting.
    void putAnyway(PendingResult pendingResult) {
        add(files == null ? pendingResult : files.store(pendingResult));
    }

    private void add(PendingResult pendingResult) {
        lock.lock();
        try {
            pendingResults.add(pendingResult);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Waits until there is a result.
    void awaitAny() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pendingResults.isEmpty()) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The oldest results, at least one, without removing them. Waits until there is one.
    List<PendingResult> await(int max, int maxBytes) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (pendingResults.isEmpty()) {
                changed.await();
            }
            var batch = new ArrayList<PendingResult>(Math.min(max, pendingResults.size()));
            var bytes = 0;
            for (var pendingResult : pendingResults) {
                bytes += pendingResult.envelope().length;
                if (batch.size() == max || (bytes > maxBytes && !batch.isEmpty())) {
                    break;
                }
                batch.add(pendingResult);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    /// Forgets what is delivered or given up.
    void remove(PendingResult pendingResult) {
        lock.lock();
        try {
            pendingResults.remove(pendingResult);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (files != null) {
            files.discard(pendingResult);
        }
    }

    /// Lets others go first.
    void defer(PendingResult pendingResult) {
        lock.lock();
        try {
            if (pendingResults.remove(pendingResult)) {
                pendingResults.addLast(pendingResult);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isFull() {
        lock.lock();
        try {
            return pendingResults.size() >= capacity;
        } finally {
            lock.unlock();
        }
    }

    /// The leases whose results are not confirmed.
    List<String> leases() {
        lock.lock();
        try {
            return pendingResults.stream().map(PendingResult::lease).toList();
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
            while (!pendingResults.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            return pendingResults.size();
        } finally {
            lock.unlock();
        }
    }
}
