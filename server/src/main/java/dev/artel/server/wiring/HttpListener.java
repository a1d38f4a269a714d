package dev.artel.server.wiring;

import dev.artel.server.config.HttpSettings;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.net.BindException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.function.Consumer;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The open port, and the routes behind it.
final class HttpListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HttpListener.class);

    /// Workers open their polls all at once after a restart; the usual backlog would make them wait for a minute.
    private static final int ACCEPT_QUEUE = 4096;

    private static final Duration IDLE_SOCKET = Duration.ofMinutes(10);
    private static final Duration DRAIN = Duration.ofSeconds(5);

    private final Javalin javalin;

    private HttpListener(Javalin javalin) {
        this.javalin = javalin;
    }

    /// Listens.
    ///
    /// @param routes adds the routes
    /// @throws CannotStart if it cannot
    static HttpListener open(HttpSettings settings, Consumer<RoutesConfig> routes) {
        var javalin = Javalin.create(config -> configure(config, settings, routes));
        try {
            javalin.start();
            return new HttpListener(javalin);
        } catch (RuntimeException e) {
            stop(javalin);
            throw refusal(settings, e);
        }
    }

    private static void configure(
            JavalinConfig config, HttpSettings settings, Consumer<RoutesConfig> routes) {
        config.concurrency.useVirtualThreads = true;
        config.startup.showJavalinBanner = false;
        config.http.prefer405over404 = true;
        config.jetty.modifyWebSocketServletFactory(factory -> factory.setIdleTimeout(IDLE_SOCKET));
        config.jetty.modifyHttpConfiguration(http -> configure(http, settings));
        config.jetty.addConnector((server, http) -> connector(server, http, settings));
        config.jetty.modifyServer(server -> {
            server.setErrorHandler(new JsonErrorPages());
            server.setStopTimeout(DRAIN.toMillis());
        });
        routes.accept(config.routes);
    }

    private static void configure(HttpConfiguration http, HttpSettings settings) {
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(settings.maxHeaderBytes());
    }

    private static ServerConnector connector(
            Server server, HttpConfiguration http, HttpSettings settings) {
        var connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
        connector.setHost(settings.host());
        connector.setPort(settings.port());
        connector.setAcceptQueueSize(ACCEPT_QUEUE);
        connector.setIdleTimeout(settings.idleTimeout().toMillis());
        return connector;
    }

    private static CannotStart refusal(HttpSettings settings, RuntimeException failure) {
        var attempted = "cannot listen on " + settings.host() + ":" + settings.port() + ": ";
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnresolvedAddressException
                    || cause instanceof UnknownHostException) {
                return new CannotStart(
                        attempted + "this machine has no such address; choose another --host",
                        failure);
            }
            if (cause instanceof BindException) {
                return new CannotStart(
                        attempted
                                + cause.getMessage()
                                + "; stop the program that listens there, or choose another --port",
                        failure);
            }
            if (cause instanceof IOException && cause.getCause() == null) {
                return new CannotStart(attempted + cause.getMessage(), failure);
            }
        }
        return new CannotStart(attempted + failure, failure);
    }

    int port() {
        return javalin.port();
    }

    /// Takes no new requests and waits a while for those that are being worked on.
    @Override
    public void close() {
        stop(javalin);
    }

    private static void stop(Javalin javalin) {
        try {
            javalin.stop();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("the HTTP server did not stop in order");
        }
    }
}
