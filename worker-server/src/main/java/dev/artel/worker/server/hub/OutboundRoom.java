package dev.artel.worker.server.hub;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of messages wait to be sent to all peers together, those under way among them. Each queue is bounded, and peers that do
/// not read may be many. Safe for use by many threads.
final class OutboundRoom {
    private final long most;
    private final InstantSource clock;
    private final AtomicLong taken = new AtomicLong();

    /// @param most how many bytes may wait
    /// @param clock only goes forward
    OutboundRoom(long most, InstantSource clock) {
        this.most = most;
        this.clock = clock;
    }

    /// Whether `bytes` more may wait.
    boolean has(long bytes) {
        var before = taken.get();
        return before == 0 || before + bytes <= most;
    }

    void take(long bytes) {
        var _ = taken.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        var _ = taken.addAndGet(-bytes);
    }

    long taken() {
        return taken.get();
    }

    Instant now() {
        return clock.instant();
    }
}
