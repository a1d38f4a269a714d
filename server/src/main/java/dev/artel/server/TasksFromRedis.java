package dev.artel.server;

import dev.artel.actions.BuiltInActions;
import dev.artel.client.ArtelClient;
import dev.artel.config.RedisSettings;
import dev.artel.engine.shell.Blueprints;
import dev.artel.redis.RedisTaskBlueprint;
import dev.artel.redis.RedisTaskRights;
import dev.artel.redis.RedisTaskSettings;
import dev.artel.redis.RedisTasks;
import java.net.URI;
import java.util.Optional;

/// The tasks that submitters leave in Redis, as jobs of a client of their own.
record TasksFromRedis(ArtelClient client, RedisTasks tasks) implements AutoCloseable {
    /// Adds the blueprint of tasks, if there is a Redis.
    static void register(RedisSettings settings, Blueprints blueprints) {
        if (settings.uri().isPresent() && blueprints.find(RedisTaskBlueprint.NAME).isEmpty()) {
            blueprints.register(RedisTaskBlueprint.blueprint(rights(settings.rights())));
        }
    }

    /// Begins to take tasks, if there is a Redis.
    ///
    /// @param orchestrator where this one listens
    /// @param token of the client of `settings`
    static Optional<TasksFromRedis> start(RedisSettings settings, URI orchestrator, String token) {
        return settings.uri()
                .map(uri -> {
                    var client = ArtelClient.of(orchestrator, token);
                    return new TasksFromRedis(
                            client,
                            RedisTasks.start(
                                    new RedisTaskSettings(
                                            uri,
                                            settings.keys().channel(),
                                            settings.keys().match(),
                                            settings.keys().scan(),
                                            settings.keys().keep(),
                                            rights(settings.rights())),
                                    client));
                });
    }

    /// Built-in actions reach files and hosts that the orchestrator alone can reach, so that no pattern allows them.
    private static RedisTaskRights rights(RedisSettings.Rights rights) {
        return new RedisTaskRights(
                type ->
                        BuiltInActions.TYPES.contains(type)
                                ? rights.taskTypes().nameInFull(type)
                                : rights.taskTypes().include(type),
                rights.blueprints()::include);
    }

    @Override
    public void close() {
        tasks.close();
        client.close();
    }
}
