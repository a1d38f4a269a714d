package dev.artel.redis;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// Where tasks are, and how they are looked for.
///
/// @param uri of the server, such as `redis://user:password@localhost:6379/0`; `rediss` for TLS
/// @param channel on which submitters publish the ids of tasks
/// @param match the keys that can be those of tasks, as a pattern of `SCAN`
/// @param scan how often all keys are looked through for tasks whose announcement was not heard
/// @param keep how long the value of a task stays after its end; empty: as long as the submitter set
/// @param rights what submitters may ask for
public record RedisTaskSettings(
        URI uri,
        String channel,
        String match,
        Duration scan,
        Optional<Duration> keep,
        RedisTaskRights rights) {
    /// The channel that submitters of the contract publish on.
    public static final String CHANNEL = "Tasks";

    /// Refuses what has no meaning.
    public RedisTaskSettings {
        var scheme = String.valueOf(uri.getScheme());
        if (!(scheme.equals("redis") || scheme.equals("rediss")) || uri.getHost() == null) {
            throw new IllegalArgumentException(
                    "the address of Redis is like redis://localhost:6379, was "
                            + uri.getScheme()
                            + "://"
                            + uri.getHost());
        }
        if (channel.isBlank() || match.isBlank() || !scan.isPositive()) {
            throw new IllegalArgumentException(
                    "tasks in Redis need a channel, a pattern of keys and a time between looks, got '"
                            + channel
                            + "', '"
                            + match
                            + "' and "
                            + scan);
        }
    }

    /// The settings of the contract: channel `Tasks`, all keys, looked through each 30 s, all that the client may ask for.
    public static RedisTaskSettings of(URI uri) {
        return new RedisTaskSettings(
                uri, CHANNEL, "*", Duration.ofSeconds(30), Optional.empty(), RedisTaskRights.ALL);
    }
}
