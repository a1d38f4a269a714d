package dev.artel.worker.link;

import java.time.Duration;

/// Keeps requests of a kind apart on average, so that under load many small ones become few large ones. A few in
/// a row need not wait, so that without load nothing does. For one thread.
final class Pace {
    private static final int BURST = 12;

    private final long gap;

    /// When the bucket was or will be full again.
    private long full;

    Pace(Duration gap) {
        this.gap = gap.toNanos();
        full = System.nanoTime();
    }

    /// A request begins now.
    void begin() {
        full = Math.max(full, System.nanoTime()) + gap;
    }

    /// The request that began last does not count.
    void forgive() {
        full -= gap;
    }

    /// How long the next one should wait.
    Duration left() {
        return Duration.ofNanos(Math.max(0, full - BURST * gap - System.nanoTime()));
    }
}
