package dev.artel.server;

import dev.artel.client.ArtelClient;
import dev.artel.config.RedisSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.redis.RedisTaskBlueprint;
import dev.artel.redis.RedisTaskSettings;
import dev.artel.redis.RedisTasks;
import java.net.URI;
import java.util.Optional;

/// The tasks that submitters leave in Redis, as jobs of this orchestrator's own client.
record TasksFromRedis(ArtelClient client, RedisTasks tasks) implements AutoCloseable {
    /// Adds the blueprint of tasks, if there is a Redis.
    static void register(RedisSettings settings, Blueprints blueprints) {
        if (settings.uri().isPresent() && blueprints.find(RedisTaskBlueprint.NAME).isEmpty()) {
            blueprints.register(RedisTaskBlueprint.blueprint());
        }
    }

    /// Begins to take tasks, if there is a Redis.
    ///
    /// @param orchestrator where this one listens
    static Optional<TasksFromRedis> start(RedisSettings settings, URI orchestrator, String token) {
        return settings.uri()
                .map(uri -> {
                    var client = ArtelClient.of(orchestrator, token);
                    return new TasksFromRedis(
                            client,
                            RedisTasks.start(
                                    new RedisTaskSettings(
                                            uri,
                                            settings.channel(),
                                            settings.keys(),
                                            settings.scan(),
                                            settings.keep()),
                                    client));
                });
    }

    @Override
    public void close() {
        tasks.close();
        client.close();
    }
}
