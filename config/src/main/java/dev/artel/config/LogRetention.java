package dev.artel.config;

import java.time.Duration;

/// How long the lines of a file are kept, and how much room they may take.
///
/// @param time lines that are older are removed, a file at a time
/// @param bytes where there are more the oldest are removed before their time
public record LogRetention(Duration time, long bytes) {
    private static final Duration SHORTEST = Duration.ofDays(1);
    private static final Duration LONGEST = Duration.ofDays(36_500);
    private static final long LEAST = 1L << 20;

    /// 90 days, and 512 MiB.
    public static final LogRetention DEFAULTS = new LogRetention(Duration.ofDays(90), 512L << 20);

    /// Refuses what has no meaning.
    public LogRetention {
        if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "must be from 1d to " + LONGEST.toDays() + "d, was " + time.toDays() + "d");
        }
        if (bytes < LEAST) {
            throw new IllegalArgumentException("must be 1MiB or more, was " + bytes);
        }
    }

    /// The same for another time.
    public LogRetention withTime(Duration other) {
        return new LogRetention(other, bytes);
    }

    /// The same for another number of bytes.
    public LogRetention withBytes(long other) {
        return new LogRetention(time, other);
    }
}
