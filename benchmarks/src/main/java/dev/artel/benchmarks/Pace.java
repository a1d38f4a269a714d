package dev.artel.benchmarks;

import java.time.Duration;
import java.util.function.IntConsumer;

/// The turns of many that each act once in an interval, spread evenly over it. For one thread.
final class Pace {
    private final long interval;
    private final int count;
    private long began;
    private long turns;

    /// Begins now.
    ///
    /// @param count how many take turns
    Pace(Duration interval, int count) {
        this.interval = interval.toNanos();
        this.count = count;
        restart();
    }

    /// Begins again now, with the first.
    void restart() {
        began = System.nanoTime();
        turns = 0;
    }

    /// Has all act whose turn has come, also those that are late.
    ///
    /// @param act receives which it is, from 0
    void keep(IntConsumer act) {
        var elapsed = System.nanoTime() - began;
        while (elapsed > turns * (interval / count)) {
            act.accept((int) (turns++ % count));
        }
    }
}
