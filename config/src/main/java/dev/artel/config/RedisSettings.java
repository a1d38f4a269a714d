package dev.artel.config;

import dev.artel.gateway.access.NamePatterns;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/// A Redis in which submitters leave tasks.
///
/// @param uri such as `redis://user:password@localhost:6379/0`, with `rediss` for TLS; empty: none
/// @param keys where tasks are, and for how long
/// @param rights what submitters may ask for, and as whom
public record RedisSettings(Optional<URI> uri, Keys keys, Rights rights) {
    /// None; the channel `Tasks`, all keys, looked through each 30 s; all but built-in actions, as the client `redis`.
    public static final RedisSettings DEFAULTS =
            new RedisSettings(
                    Optional.empty(),
                    new Keys("Tasks", "*", Duration.ofSeconds(30), Optional.empty()),
                    new Rights(Rights.BUILT_IN_CLIENT, NamePatterns.ALL, NamePatterns.ALL));

    /// Where tasks are, and for how long.
    ///
    /// @param channel on which submitters publish the keys of tasks
    /// @param match the keys that can be those of tasks, as a pattern of `SCAN`
    /// @param scan how often all keys are looked through
    /// @param keep how long the value of a task stays after its end; empty: as long as the submitter set
    public record Keys(String channel, String match, Duration scan, Optional<Duration> keep) {}

    /// What submitters may ask for, and as whom.
    ///
    /// @param client the client whose jobs their tasks are
    /// @param taskTypes those of their tasks; a built-in action only if it is named in full
    /// @param blueprints those of their jobs
    public record Rights(String client, NamePatterns taskTypes, NamePatterns blueprints) {
        /// A client that needs no table in `clients.toml`.
        public static final String BUILT_IN_CLIENT = "redis";
    }

    /// These settings for another server.
    public RedisSettings withUri(URI other) {
        return new RedisSettings(Optional.of(other), keys, rights);
    }

    /// These settings with another channel.
    public RedisSettings withChannel(String other) {
        return with(new Keys(other, keys.match(), keys.scan(), keys.keep()));
    }

    /// These settings with other keys.
    public RedisSettings withKeys(String pattern) {
        return with(new Keys(keys.channel(), pattern, keys.scan(), keys.keep()));
    }

    /// These settings with another time between looks.
    public RedisSettings withScan(Duration other) {
        return with(new Keys(keys.channel(), keys.match(), other, keys.keep()));
    }

    /// These settings, and values stay for so long.
    public RedisSettings withKeep(Duration time) {
        return with(new Keys(keys.channel(), keys.match(), keys.scan(), Optional.of(time)));
    }

    /// These settings for the jobs of another client.
    public RedisSettings withClient(String name) {
        return with(new Rights(name, rights.taskTypes(), rights.blueprints()));
    }

    /// These settings with other types of tasks.
    public RedisSettings withTaskTypes(NamePatterns types) {
        return with(new Rights(rights.client(), types, rights.blueprints()));
    }

    /// These settings with other blueprints.
    public RedisSettings withBlueprints(NamePatterns blueprints) {
        return with(new Rights(rights.client(), rights.taskTypes(), blueprints));
    }

    private RedisSettings with(Keys other) {
        return new RedisSettings(uri, other, rights);
    }

    private RedisSettings with(Rights other) {
        return new RedisSettings(uri, keys, other);
    }
}
