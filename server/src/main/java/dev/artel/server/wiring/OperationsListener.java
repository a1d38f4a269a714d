package dev.artel.server.wiring;

import dev.artel.config.OperationsSettings.Listen;
import io.javalin.Javalin;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A port of its own for programs that watch the orchestrator: neither clients nor workers can keep them waiting.
final class OperationsListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperationsListener.class);
    private static final int CONNECTIONS = 64;
    private static final int THREADS = 6;
    private static final int IDLE_MILLIS = 60_000;

    private final Javalin javalin;

    private OperationsListener(Javalin javalin) {
        this.javalin = javalin;
    }

    /// @throws StartupException if it cannot listen
    static OperationsListener open(Listen at, Consumer<RoutesConfig> routes) {
        var channel = HttpListener.listen(at.host(), at.port());
        var javalin =
                Javalin.create(config -> {
                    config.startup.showJavalinBanner = false;
                    var threads =
                            new QueuedThreadPool(
                                    THREADS, 2, IDLE_MILLIS, new LinkedBlockingQueue<>());
                    threads.setName("artel-operations");
                    threads.setReservedThreads(0);
                    config.jetty.threadPool = threads;
                    config.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
                    config.jetty.addConnector((server, http) -> {
                        var connector =
                                new ServerConnector(server, 1, 1, new SerialHttpConnections(http));
                        connector.setIdleTimeout(IDLE_MILLIS);
                        take(connector, channel);
                        return connector;
                    });
                    config.jetty.modifyServer(server ->
                            server.addBean(new NetworkConnectionLimit(CONNECTIONS, server)));
                    routes.accept(config.routes);
                });
        try {
            javalin.start();
            return new OperationsListener(javalin);
        } catch (RuntimeException e) {
            throw new StartupException("cannot start the HTTP server for operations: " + e, e);
        }
    }

    private static void take(ServerConnector connector, ServerSocketChannel channel) {
        try {
            connector.open(channel);
        } catch (IOException e) {
            throw new UncheckedIOException("taking over the open port", e);
        }
    }

    /// The port on which it listens.
    int port() {
        return javalin.port();
    }

    @Override
    public void close() {
        try {
            javalin.stop();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("the HTTP server for operations did not stop in order");
        }
    }
}
