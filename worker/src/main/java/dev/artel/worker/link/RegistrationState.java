package dev.artel.worker.link;

import dev.artel.protocol.RegisterAnswer;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Whether the orchestrator knows this worker, and what it agreed to. Safe for use by many threads.
final class RegistrationState {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Wakeup wanted;
    private volatile ProtocolVersion protocolVersion = ProtocolVersion.PLAIN;
    private volatile Duration lease;
    private volatile boolean isKnown;
    private volatile boolean wasKnown;
    private volatile boolean takesBatches;

    /// @param wanted raised when the worker must register again
    RegistrationState(Wakeup wanted, Duration lease) {
        this.wanted = wanted;
        this.lease = lease;
    }

    void accept(RegisterAnswer answer) {
        lock.lock();
        try {
            var granted = answer.lease();
            protocolVersion = granted == null ? ProtocolVersion.PLAIN : ProtocolVersion.LEASED;
            takesBatches = granted != null;
            if (granted != null) {
                lease = granted;
            }
            isKnown = true;
            wasKnown = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// The orchestrator does not know this worker any more.
    void lose() {
        isKnown = false;
        wanted.raise();
    }

    /// Waits until the orchestrator knows this worker.
    ///
    /// @return whether it does
    boolean await(Duration longest) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            var left = longest.toNanos();
            while (!isKnown && left > 0) {
                left = changed.awaitNanos(left);
            }
            return isKnown;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until the orchestrator knew this worker once, so that the protocol version is known.
    void awaitFirst() throws InterruptedException {
        if (wasKnown) {
            return;
        }
        lock.lockInterruptibly();
        try {
            while (!wasKnown) {
                changed.await();
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isKnown() {
        return isKnown;
    }

    /// Whether the orchestrator knew this worker once.
    boolean wasKnown() {
        return wasKnown;
    }

    ProtocolVersion protocolVersion() {
        return protocolVersion;
    }

    boolean takesBatches() {
        return takesBatches;
    }

    void refuseBatches() {
        takesBatches = false;
    }

    /// The granted lease, or the wanted one where none was granted.
    Duration lease() {
        return lease;
    }

    /// A task came with a shorter lease than was granted.
    void shorten(Duration shorter) {
        if (shorter.isPositive() && shorter.compareTo(lease) < 0) {
            lease = shorter;
        }
    }
}
