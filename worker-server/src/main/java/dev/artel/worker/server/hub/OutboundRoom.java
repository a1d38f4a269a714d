package dev.artel.worker.server.hub;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/// How many bytes of messages wait to be sent to all peers together, those under way among them. Each queue is bounded, and peers that do
/// not read may be many. Safe for use by many threads.
final class OutboundRoom {
    /// Up to so many bytes a message is small.
    static final int SMALL = 16 << 10;

    /// A peer has at most one part in so many of what there is for all.
    private static final int PARTS = 4;

    private final long most;
    private final InstantSource clock;
    private final AtomicLong taken = new AtomicLong();

    /// @param most how many bytes may wait
    /// @param clock only goes forward
    OutboundRoom(long most, InstantSource clock) {
        this.most = most;
        this.clock = clock;
    }

    /// Whether `bytes` more may wait for a peer for which `held` wait. A small message to one for which little waits may go beyond what there is, up to twice that.
    boolean has(long bytes, long held) {
        var before = taken.get();
        var isSmall = bytes <= SMALL && held <= SMALL;
        return before == 0 || before + bytes <= (isSmall ? 2 * most : most);
    }

    /// Whether the share of a peer for which `held` bytes wait leaves room for `bytes` more.
    boolean hasShare(long bytes, long held) {
        return held == 0 || held + bytes <= most / PARTS;
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
