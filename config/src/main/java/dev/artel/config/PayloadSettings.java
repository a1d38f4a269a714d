package dev.artel.config;

import dev.artel.store.s3.S3Settings;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// Where large values are kept, and for how long.
///
/// @param maxBytes larger values are refused
/// @param grace how long a value is kept at least that no job names, or names any more
/// @param s3 the bucket for them; empty: the folder `payloads` in the data folder
public record PayloadSettings(long maxBytes, Duration grace, Optional<S3Settings> s3) {
    private static final Duration SHORTEST = Duration.ofMinutes(10);

    /// 64 MiB, a day, in the data folder.
    public static final PayloadSettings DEFAULTS =
            new PayloadSettings(64 << 20, Duration.ofDays(1), Optional.empty());

    /// Refuses what cannot work.
    public PayloadSettings {
        if (maxBytes < 1 << 20) {
            throw new IllegalArgumentException(
                    "payloads.max-bytes must be at least 1MiB, was " + maxBytes);
        }
        if (grace.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(
                    "payloads.grace must be at least 10m, since a value is kept before its job"
                            + " names it; was "
                            + grace);
        }
    }

    /// These settings with another limit.
    public PayloadSettings withMaxBytes(long bytes) {
        return new PayloadSettings(bytes, grace, s3);
    }

    /// These settings with another grace.
    public PayloadSettings withGrace(Duration time) {
        return new PayloadSettings(maxBytes, time, s3);
    }

    /// These settings with a bucket.
    public PayloadSettings withS3(UnaryOperator<S3Settings> change) {
        return new PayloadSettings(
                maxBytes, grace, Optional.of(change.apply(s3.orElse(S3Settings.DEFAULTS))));
    }
}
