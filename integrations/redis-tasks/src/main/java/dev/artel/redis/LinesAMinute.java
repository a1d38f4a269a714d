package dev.artel.redis;

import java.time.Duration;
import java.util.OptionalLong;

/// Keeps the log readable whatever submitters set: so many lines a minute, and with the next one how many were left out. Safe for use by many
/// threads.
final class LinesAMinute {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final int most;
    private long began = System.nanoTime();
    private int written;
    private long leftOut;

    LinesAMinute(int most) {
        this.most = most;
    }

    /// How many lines were left out before this one; empty if this one is left out, too.
    synchronized OptionalLong next() {
        var now = System.nanoTime();
        if (now - began > MINUTE) {
            began = now;
            written = 0;
        }
        if (written >= most) {
            leftOut++;
            return OptionalLong.empty();
        }
        written++;
        var before = leftOut;
        leftOut = 0;
        return OptionalLong.of(before);
    }
}
