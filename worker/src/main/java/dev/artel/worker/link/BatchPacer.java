package dev.artel.worker.link;

import java.time.Duration;

/// Keeps requests of a kind apart while they carry much, so that many small ones become few large ones; without load
/// nothing waits. For one thread.
final class BatchPacer {
    /// Up to this many tasks or results a second nothing waits: one job at a time stays far below.
    private static final double QUIET = 1200;

    /// From this many on requests keep the whole gap.
    private static final double BUSY = 2000;

    private static final double WINDOW_NANOS = 100e6;

    private final long gap;
    private long begun;
    private long counted;

    /// Tasks or results a second at [#counted], the older the less they weigh.
    private double rate;

    BatchPacer(Duration gap) {
        this.gap = gap.toNanos();
        begun = System.nanoTime() - this.gap;
        counted = System.nanoTime();
    }

    /// A request begins now.
    void begin() {
        begun = System.nanoTime();
    }

    /// A request carried `count` tasks or results.
    void carried(int count) {
        var now = System.nanoTime();
        rate = rateAt(now) + count / (WINDOW_NANOS / 1e9);
        counted = now;
    }

    /// The request that began last does not count.
    void forgive() {
        begun -= gap;
    }

    /// How long the next one should wait.
    Duration left() {
        var now = System.nanoTime();
        var load = Math.clamp((rateAt(now) - QUIET) / (BUSY - QUIET), 0, 1);
        return Duration.ofNanos(Math.max(0, begun + Math.round(gap * load) - now));
    }

    private double rateAt(long now) {
        return rate * Math.exp((counted - now) / WINDOW_NANOS);
    }
}
