package dev.artel.worker.link;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Wakes one waiting thread; a signal that no thread waits for is kept, and several are one.
final class Wakeup {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition raised = lock.newCondition();
    private boolean isRaised;

    void raise() {
        lock.lock();
        try {
            isRaised = true;
            raised.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a signal and consumes it.
    ///
    /// @return whether there was one in time
    boolean await(Duration longest) throws InterruptedException {
        lock.lock();
        try {
            var left = longest.toNanos();
            while (!isRaised && left > 0) {
                left = raised.awaitNanos(left);
            }
            var wasRaised = isRaised;
            isRaised = false;
            return wasRaised;
        } finally {
            lock.unlock();
        }
    }
}
