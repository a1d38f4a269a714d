package dev.artel.e2e.fuzz;

import java.time.Duration;
import java.util.Arrays;

/// How long some things took, in ascending order.
///
/// @param nanos each of them
@SuppressWarnings("ArrayRecordComponent") // never compared
record Latencies(long[] nanos) {
    Latencies {
        nanos = nanos.clone();
        Arrays.sort(nanos);
    }

    int count() {
        return nanos.length;
    }

    /// Within which time `part` of them, above 0 and up to 1, were done; zero if there are none.
    Duration quantile(double part) {
        return nanos.length == 0
                ? Duration.ZERO
                : Duration.ofNanos(nanos[(int) Math.ceil(part * nanos.length) - 1]);
    }

    @Override
    public String toString() {
        return "%d jobs, p50 %.1f ms, p99 %.1f ms, slowest %.1f ms"
                .formatted(count(), millis(0.5), millis(0.99), millis(1));
    }

    private double millis(double part) {
        return quantile(part).toNanos() / 1e6;
    }
}
