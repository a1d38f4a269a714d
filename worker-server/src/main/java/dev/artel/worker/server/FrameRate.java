package dev.artel.worker.server;

import java.util.concurrent.TimeUnit;

/// How many frames a peer may send in a second, whatever is in them. A frame that carries nothing costs as much as another one, and no limit of
/// messages or bytes counts it: control frames, and parts of a message without content. For one thread.
final class FrameRate {
    /// Of all kinds.
    static final int MOST = 20_000;

    /// Of those that carry nothing: pings and pongs, and empty parts.
    static final int MOST_EMPTY = 1_000;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private long began;
    private int frames;
    private int empty;

    /// One that begins at `nanos`, of [System#nanoTime].
    FrameRate(long nanos) {
        began = nanos;
    }

    /// Whether one more may come.
    ///
    /// @param isEmpty whether it carries nothing
    boolean take(boolean isEmpty, long nanos) {
        if (nanos - began >= SECOND) {
            began = nanos;
            frames = 0;
            empty = 0;
        }
        frames++;
        empty += isEmpty ? 1 : 0;
        return frames <= MOST && empty <= MOST_EMPTY;
    }
}
