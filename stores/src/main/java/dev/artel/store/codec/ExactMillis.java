package dev.artel.store.codec;

import java.time.Duration;
import java.time.Instant;

/// Finds times and durations that milliseconds represent without loss.
final class ExactMillis {
    private static final int NANOS_PER_MILLI = 1_000_000;
    private static final long MAX_SECONDS = Long.MAX_VALUE / 1000 - 1;

    private ExactMillis() {}

    static boolean isMillis(Instant value) {
        return isMillis(value.getEpochSecond(), value.getNano());
    }

    static boolean isMillis(Duration value) {
        return isMillis(value.getSeconds(), value.getNano());
    }

    private static boolean isMillis(long seconds, int nanos) {
        return nanos % NANOS_PER_MILLI == 0 && Math.abs(seconds) < MAX_SECONDS;
    }
}
