package dev.artel.worker.link;

import dev.artel.worker.wire.OrchestratorResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/// What shows an orchestrator that a worker is there, until the worker leaves. Safe for use by many threads.
final class SignsOfLife {
    /// A thread that sends holds it for reading.
    private final ReentrantReadWriteLock sending = new ReentrantReadWriteLock();

    private volatile boolean isOver;

    interface Request {
        OrchestratorResponse send() throws IOException, InterruptedException;
    }

    /// Sends one.
    ///
    /// @throws IOException if it cannot be sent, or the worker leaves
    OrchestratorResponse send(Request request) throws IOException, InterruptedException {
        sending.readLock().lockInterruptibly();
        try {
            if (isOver) {
                throw new IOException("the worker leaves");
            }
            return request.send();
        } finally {
            sending.readLock().unlock();
        }
    }

    /// Sends no more, and waits until those under way have their answers, no longer than `longest`.
    void end(Duration longest) {
        isOver = true;
        try {
            if (sending.writeLock().tryLock(longest.toNanos(), TimeUnit.NANOSECONDS)) {
                sending.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
