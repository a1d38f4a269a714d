package dev.artel.server;

import dev.artel.config.ServerConfig;
import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.gateway.zeromq.ZeroMqConfig;
import dev.artel.server.supervision.Launch;
import dev.artel.server.wiring.Storage;
import dev.artel.server.wiring.Wiring;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// An orchestrator inside another program.
///
/// ```java
/// try (var node = ArtelNode.start(ServerConfig.DEFAULTS.withData(folder), Blueprints.of(album))) {
///     System.out.println(node.uri() + " takes jobs");
/// }
/// ```
///
/// Ready when [#start] returns; [#close] stops it in order, so that nothing is lost.
public final class ArtelNode implements AutoCloseable {
    private final Wiring wiring;
    private final ServerConfig config;
    private final Optional<TasksFromRedis> redis;

    private ArtelNode(Wiring wiring, ServerConfig config) {
        this.wiring = wiring;
        this.config = config;
        redis = TasksFromRedis.start(config.ingress().redis(), uri(), wiring.redisToken().value());
    }

    /// Starts an orchestrator that knows `blueprints` and keeps everything in the data folder.
    ///
    /// @throws dev.artel.server.wiring.StartupException if a person has to change something first
    public static ArtelNode start(ServerConfig config, Blueprints blueprints) {
        return start(config, blueprints, Launch.EMBEDDED);
    }

    /// Starts an orchestrator for a program that knows and decides `launch`.
    ///
    /// @throws dev.artel.server.wiring.StartupException if a person has to change something first
    static ArtelNode start(ServerConfig config, Blueprints blueprints, Launch launch) {
        TasksFromRedis.register(config.ingress().redis(), blueprints);
        return new ArtelNode(Wiring.start(config, blueprints, launch), config);
    }

    /// Starts an orchestrator on `storage`, which stays the caller's to close, afterwards.
    ///
    /// @throws dev.artel.server.wiring.StartupException if a person has to change something first
    public static ArtelNode start(ServerConfig config, Blueprints blueprints, Storage storage) {
        TasksFromRedis.register(config.ingress().redis(), blueprints);
        return new ArtelNode(Wiring.start(config, blueprints, storage), config);
    }

    /// The port on which it listens.
    public int port() {
        return wiring.port();
    }

    /// Where clients and workers on this machine reach it.
    public URI uri() {
        return wiring.uri(config);
    }

    /// Where people reach the dashboard.
    public URI dashboard() {
        return URI.create(wiring.dashboard(config));
    }

    /// An address that logs its first visitor in at the dashboard as the client `default`, within five minutes; empty where
    /// `clients.toml` has replaced the token of that client. It is a secret.
    public Optional<URI> dashboardLink() {
        return wiring.dashboardLink(config).map(URI::create);
    }

    /// What clients send as `Authorization: Bearer`.
    public String clientToken() {
        return wiring.tokens().client().value();
    }

    /// What workers send as `Authorization: Bearer`.
    public String workerToken() {
        return wiring.tokens().worker().value();
    }

    /// The port on which it listens for programs that watch it; empty: on none of their own.
    OptionalInt operationsPort() {
        return wiring.operationsPort();
    }

    /// Where it listens for workers on ZeroMQ; empty: nowhere.
    public Optional<ZeroMqConfig.Ports> zeroMqPorts() {
        return wiring.zeroMqPorts();
    }

    /// What it answers, as in `GET /healthz`, sorted; without WebSockets.
    List<String> routes() {
        return wiring.routes();
    }

    /// Whether the tokens were made by this start.
    boolean hasNewTokens() {
        return wiring.tokens().isNew();
    }

    /// Reads clients, workers, limits and the certificate again, and settings and jars of a program that has some. Tokens
    /// that are gone are worth nothing from now on.
    ///
    /// @param why for the audit
    /// @return what is wrong with the files; what was in force stays so then
    public List<String> reload(String why) {
        return wiring.reload(why).problems();
    }

    /// Who runs the jobs.
    public LocalEngine engine() {
        return wiring.engine();
    }

    @Override
    public void close() {
        redis.ifPresent(TasksFromRedis::close);
        wiring.close();
    }
}
