package dev.artel.server;

import dev.artel.engine.shell.Blueprints;
import dev.artel.engine.shell.LocalEngine;
import dev.artel.server.config.ServerConfig;
import dev.artel.server.wiring.Storage;
import dev.artel.server.wiring.Wiring;
import java.net.URI;

/// An orchestrator inside another program.
///
/// ```java
/// try (var node = ArtelNode.start(ServerConfig.DEFAULTS.withData(folder), Blueprints.of(album))) {
///     System.out.println(node.uri() + " takes jobs with the token " + node.clientToken());
/// }
/// ```
///
/// Ready when [#start] returns; [#close] stops it in order, so that nothing is lost.
public final class ArtelNode implements AutoCloseable {
    private final Wiring wiring;
    private final String host;

    private ArtelNode(Wiring wiring, String host) {
        this.wiring = wiring;
        this.host = host;
    }

    /// Starts an orchestrator that knows `blueprints` and keeps everything in the data folder.
    ///
    /// @throws dev.artel.server.wiring.CannotStart if a person has to change something first
    public static ArtelNode start(ServerConfig config, Blueprints blueprints) {
        return new ArtelNode(Wiring.start(config, blueprints), config.http().host());
    }

    /// Starts an orchestrator on `storage`, which stays the caller's to close, afterwards.
    ///
    /// @throws dev.artel.server.wiring.CannotStart if a person has to change something first
    public static ArtelNode start(ServerConfig config, Blueprints blueprints, Storage storage) {
        return new ArtelNode(Wiring.start(config, blueprints, storage), config.http().host());
    }

    /// The port on which it listens.
    public int port() {
        return wiring.port();
    }

    /// Where clients and workers on this machine reach it.
    public URI uri() {
        var reachable =
                switch (host) {
                    case "0.0.0.0", "::", "[::]" -> "127.0.0.1";
                    default ->
                            host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
                };
        return URI.create("http://" + reachable + ":" + port());
    }

    /// What clients send in the header `X-Client-Token`.
    public String clientToken() {
        return wiring.tokens().client().value();
    }

    /// What workers send in the header `X-Worker-Token`.
    public String workerToken() {
        return wiring.tokens().worker().value();
    }

    /// Whether the tokens were made by this start.
    boolean hasNewTokens() {
        return wiring.tokens().isNew();
    }

    /// Who runs the jobs.
    public LocalEngine engine() {
        return wiring.engine();
    }

    @Override
    public void close() {
        wiring.close();
    }
}
