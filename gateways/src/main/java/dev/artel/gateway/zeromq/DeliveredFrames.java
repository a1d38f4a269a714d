package dev.artel.gateway.zeromq;

import java.util.concurrent.atomic.AtomicLong;

/// What the thread of the sockets has received from a socket, for that of the library. Safe for use by many threads.
final class DeliveredFrames {
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong rounds = new AtomicLong();

    void add(int count, long size) {
        frames.addAndGet(count);
        bytes.addAndGet(size);
    }

    /// The socket was read to its end.
    void isAtEnd() {
        rounds.incrementAndGet();
    }

    long frames() {
        return frames.get();
    }

    long bytes() {
        return bytes.get();
    }

    /// How many times the socket was read to its end.
    long rounds() {
        return rounds.get();
    }
}
