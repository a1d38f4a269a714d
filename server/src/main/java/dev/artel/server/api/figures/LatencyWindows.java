package dev.artel.server.api.figures;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/// How long things took in the last five minutes, by name: percentiles that are off by one in a hundred at most. Bounded: so
/// many names are counted separately, until they were idle for five minutes; all further ones are [#OTHER]. Recording takes
/// no lock. Safe for use by many threads.
public final class LatencyWindows {
    /// The name of all for which there is no room.
    public static final String OTHER = "other";

    /// How many pieces of a minute there are.
    private static final int PIECES = 5;

    private static final int DIGITS = 2;
    private static final long LONGEST_MILLIS = Duration.ofDays(7).toMillis();

    private final int most;
    private final Map<String, Series> series = new ConcurrentHashMap<>();

    /// Windows for at most `most` names.
    public LatencyWindows(int most) {
        this.most = most;
    }

    /// Percentiles, in milliseconds.
    ///
    /// @param count of how many, at least 1
    public record Percentiles(long count, long p50, long p95, long p99) {}

    private static final class Series {
        private final Recorder recorder = new Recorder(DIGITS);

        /// The last pieces, the oldest first; guarded by this.
        private final Deque<Histogram> past = new ArrayDeque<>();

        /// The piece that is not complete; guarded by this.
        private Histogram now = new Histogram(DIGITS);

        /// What the recorder can use again; guarded by this.
        private @Nullable Histogram spare;

        private void take() {
            var interval = recorder.getIntervalHistogram(spare);
            now.add(interval);
            spare = interval;
        }

        /// Whether nothing was recorded in any of the pieces.
        synchronized boolean turn() {
            take();
            past.addLast(now);
            now = new Histogram(DIGITS);
            if (past.size() > PIECES) {
                past.removeFirst();
            }
            return past.stream().allMatch(piece -> piece.getTotalCount() == 0);
        }

        synchronized Optional<Percentiles> percentiles() {
            take();
            var all = now.copy();
            past.forEach(all::add);
            return all.getTotalCount() == 0
                    ? Optional.empty()
                    : Optional.of(
                            new Percentiles(
                                    all.getTotalCount(),
                                    all.getValueAtPercentile(50),
                                    all.getValueAtPercentile(95),
                                    all.getValueAtPercentile(99)));
        }
    }

    /// Something took `time`.
    void record(String name, Duration time) {
        of(name).recorder.recordValue(Math.clamp(time.toMillis(), 0, LONGEST_MILLIS));
    }

    private Series of(String name) {
        var known = series.get(name);
        if (known != null) {
            return known;
        }
        var counted = series.size() < most ? name : OTHER;
        return series.computeIfAbsent(counted, _ -> new Series());
    }

    /// A minute is over.
    void turn() {
        series.values().removeIf(Series::turn);
    }

    /// The percentiles of each name for which something was recorded, in the order of the names.
    public SequencedMap<String, Percentiles> all() {
        var all = new TreeMap<String, Percentiles>();
        series.forEach((name, its) -> its.percentiles().ifPresent(found -> all.put(name, found)));
        return all;
    }
}
