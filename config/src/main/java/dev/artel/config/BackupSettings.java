package dev.artel.config;

import dev.artel.store.s3.S3Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/// The copy of all that is committed that is kept elsewhere while the orchestrator runs.
///
/// @param to where; empty: nowhere
/// @param every how often what was committed is sent
/// @param s3 how buckets are reached
public record BackupSettings(Optional<Target> to, Duration every, S3Settings s3) {
    /// Nowhere.
    public static final BackupSettings DEFAULTS =
            new BackupSettings(Optional.empty(), Duration.ofSeconds(10), S3Settings.DEFAULTS);

    private static final Pattern BUCKET =
            Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(/([^\\s]*))?");

    /// A place for copies.
    public sealed interface Target {
        /// `FOLDER` or `s3://BUCKET/PREFIX`.
        ///
        /// @throws IllegalArgumentException if it is neither; the message is the end of a sentence
        static Target of(String text) {
            if (!text.startsWith("s3:")) {
                return new Folder(SettingParsers.path(text).toAbsolutePath().normalize());
            }
            var matcher = BUCKET.matcher(text);
            if (!matcher.matches()) {
                throw new IllegalArgumentException(
                        "must be a folder or as s3://BUCKET/PREFIX, was '" + text + "'");
            }
            var prefix = matcher.group(3) == null ? "" : matcher.group(3);
            return new Bucket(
                    matcher.group(1),
                    prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/");
        }
    }

    /// A folder, best on another machine or at least another disk.
    public record Folder(Path path) implements Target {}

    /// A bucket, and what the names of its objects begin with.
    public record Bucket(String name, String prefix) implements Target {}

    /// These settings with another place.
    public BackupSettings withTo(Target other) {
        return new BackupSettings(Optional.of(other), every, s3);
    }

    /// These settings with another pause.
    public BackupSettings withEvery(Duration other) {
        return new BackupSettings(to, other, s3);
    }

    /// These settings with another way to buckets.
    public BackupSettings withS3(S3Settings other) {
        return new BackupSettings(to, every, other);
    }
}
