package dev.artel.config;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// A Redis in which submitters leave tasks.
///
/// @param uri such as `redis://user:password@localhost:6379/0`, with `rediss` for TLS; empty: none
/// @param channel on which they publish the keys of tasks
/// @param keys that can be those of tasks, as a pattern of `SCAN`
/// @param scan how often all keys are looked through
/// @param keep how long the value of a task stays after its end; empty: as long as the submitter set
public record RedisSettings(
        Optional<URI> uri, String channel, String keys, Duration scan, Optional<Duration> keep) {
    /// None; the channel `Tasks`, all keys, looked through each 30 s.
    public static final RedisSettings DEFAULTS =
            new RedisSettings(
                    Optional.empty(), "Tasks", "*", Duration.ofSeconds(30), Optional.empty());

    /// These settings for another server.
    public RedisSettings withUri(URI other) {
        return new RedisSettings(Optional.of(other), channel, keys, scan, keep);
    }

    /// These settings with another channel.
    public RedisSettings withChannel(String other) {
        return new RedisSettings(uri, other, keys, scan, keep);
    }

    /// These settings with other keys.
    public RedisSettings withKeys(String pattern) {
        return new RedisSettings(uri, channel, pattern, scan, keep);
    }

    /// These settings with another time between looks.
    public RedisSettings withScan(Duration other) {
        return new RedisSettings(uri, channel, keys, other, keep);
    }

    /// These settings, and values stay for so long.
    public RedisSettings withKeep(Duration time) {
        return new RedisSettings(uri, channel, keys, scan, Optional.of(time));
    }
}
