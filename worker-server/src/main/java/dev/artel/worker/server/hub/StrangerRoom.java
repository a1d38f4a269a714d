package dev.artel.worker.server.hub;

import java.util.concurrent.atomic.AtomicLong;

/// How many bytes connections may have sent before a worker has registered on them: a registration of each, and of large ones
/// only so many at a time. Who they are is not known yet, and each takes memory. Safe for use by many threads.
final class StrangerRoom {
    /// Of one message before the registration, and of that itself.
    static final int LARGEST_MESSAGE = 64 << 10;

    /// What each may send whatever others do: an ordinary registration.
    private static final int ALWAYS = 8 << 10;

    /// Of all of them together, beyond that.
    private static final long TOGETHER = 16L << 20;

    private final AtomicLong taken = new AtomicLong();

    /// The part of one connection.
    final class Share {
        private long mine;
        private boolean isOver;

        /// Whether there is room for a message of which `bytes` have arrived.
        synchronized boolean takes(long bytes) {
            if (bytes > LARGEST_MESSAGE || isOver) {
                return false;
            }
            var more = Math.max(0, bytes - ALWAYS) - mine;
            if (taken.addAndGet(more) > TOGETHER && more > 0) {
                taken.addAndGet(-more);
                return false;
            }
            mine += more;
            return true;
        }

        /// The connection is closed, or belongs to a worker.
        synchronized void end() {
            isOver = true;
            taken.addAndGet(-mine);
            mine = 0;
        }
    }

    /// The part of a connection that begins.
    Share begin() {
        return new Share();
    }
}
